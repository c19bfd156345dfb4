import { describe, expect, it } from "vitest";
import { families, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import { partitionCautions, schemaCards, schemaChange } from "./schema-rows.ts";

const index = answerIndex(recommendation, problem.statements);

describe("schema cards", () => {
  it("says who reads a table and what is built from it", () => {
    const cards = schemaCards(recommendation, index, 1);
    const reservations = cards.find((card) => card.family === families.reservations);
    expect(reservations?.usedBy).toEqual([
      { statement: "q2", label: "arrivals of a day", kind: "join" },
    ]);
    expect(reservations?.sourceFor).toEqual([index.tags.get(families.arrivals.key)]);
    expect(reservations?.isLeaving).toBe(true);
    expect(reservations?.isNew).toBe(false);
  });

  it("stands largest first and counts changes", () => {
    const sizes = schemaCards(recommendation, index, 2).map((card) => card.family.size.bytes);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(schemaChange(recommendation, 2)).toEqual({ added: 1, removed: 2 });
    expect(schemaChange(recommendation, 0)).toEqual({ added: 0, removed: 0 });
  });

  it("warns of large partitions", () => {
    const size = { ...families.guests.size, rowsPerPartition: 2e5, bytesPerPartition: 2e8 };
    expect(partitionCautions({ ...families.guests, size })).toHaveLength(2);
    expect(partitionCautions(families.guests)).toHaveLength(0);
  });
});
