import { describe, expect, it } from "vitest";
import { families, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import { migrationDetail, migrationSteps, timelineRows } from "./timeline-rows.ts";

const index = answerIndex(recommendation, problem.statements);

describe("timeline rows", () => {
  it("joins neighbouring steps into stretches", () => {
    const rows = timelineRows(recommendation, index);
    const row = rows.find((each) => each.family === families.arrivalIds);
    expect(row?.stretches).toEqual([
      { from: 0, to: 1 },
      { from: 5, to: 5 },
    ]);
    expect(row?.drops).toEqual([1]);
    expect(row?.builds.map((mark) => [mark.from, mark.to])).toEqual([[4, 5]]);
  });

  it("marks the steps after which the schema changes", () => {
    expect(migrationSteps(recommendation)).toEqual([1, 4]);
  });

  it("tells what a build reads and writes", () => {
    const row = timelineRows(recommendation, index).find(
      (each) => each.family === families.arrivals,
    );
    const mark = row?.builds[0];
    if (!mark) throw new Error("the build is missing");
    const detail = migrationDetail(index, families.arrivals, mark);
    expect(detail.sources).toHaveLength(3);
    expect(detail.read.bytes).toBe(
      families.arrivalIds.size.bytes +
        families.reservations.size.bytes +
        families.guests.size.bytes,
    );
    expect(detail.total).toBe(1_920_000);
  });
});
