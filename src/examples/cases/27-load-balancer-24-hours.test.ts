/**
 * Case 27: real requests per hour as a common factor on all statements of case 20. Only the mix of
 * statements can make another schema better, not their number.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import { type CaseChanges, changes, problemOf, schemaAt, solved } from "./read-case.ts";

const folder = "20-likes-expert-schema";
const hours = JSON.parse(
  readFileSync(`${import.meta.dirname}/27-load-balancer-24-hours/hours.json`, "utf8"),
) as Readonly<Record<string, readonly number[]>>;
const days = ["day_15_april", "day_12_april_spike", "day_22_april_spike"] as const;
const requests = (day: string): readonly number[] => hours[day] ?? [];

/** Shares of the statements among those that read, and among those that change records. */
const reads = { userById: 0.4, itemById: 0.5, itemsLiked: 0.02, usersWhoLiked: 0.08 };
const writes = { insertItem: 0.02, insertUser: 0.02, insertLike: 0.06, updateTitle: 0.9 };

/** The likes of a day up to an hour: requests of so many servers, of which a share changes records. */
function overDay(
  day: string,
  writeShare: (hour: number) => number,
  { until = 24, servers = 1 } = {},
): CaseChanges {
  const curves = (shares: Readonly<Record<string, number>>, part: (hour: number) => number) =>
    Object.entries(shares).map(([name, share]) => [
      name,
      requests(day)
        .slice(0, until)
        .map((all, hour) => (servers * all * part(hour) * share) / 3600),
    ]);
  return {
    timeline: { steps: until, stepSeconds: 3600 },
    frequencies: Object.fromEntries([
      ...curves(reads, (hour) => 1 - writeShare(hour)),
      ...curves(writes, writeShare),
    ]),
  };
}

const freeMigration = {
  costModel: {
    ...defaultCostModel,
    extract: { fixed: 0, perByte: 0 },
    load: { fixed: 0, perByte: 0 },
  },
};

describe("requests of a day", () => {
  test("are those that were counted", () => {
    const sums = days.map((day) => requests(day).reduce((sum, each) => sum + each, 0));
    expect(sums).toEqual([20_389, 17_381, 20_305]);
    const highest = days.map((day) => {
      const most = Math.max(...requests(day));
      return [most, requests(day).indexOf(most)];
    });
    expect(highest).toEqual([
      [1652, 20],
      [2526, 17],
      [2312, 19],
    ]);
    expect(requests("day_15_april")[8]).toBe(427);
  });

  test.each(days)(
    "%s: the same mix all day keeps one schema, though migration is free",
    async (day) => {
      const same = overDay(day, () => 0.3);
      const answer = await solved(problemOf(folder, { ...same, settings: freeMigration }));
      expect(changes(answer)).toEqual([]);
    },
  );

  test("with more writes at night than by day tables change between 5 and 6 o'clock only", async () => {
    const share = (hour: number): number => hours["write_share"]?.[hour] ?? 0;
    // A hundred such servers, so that a change repays its migration; the afternoon has the morning's mix.
    const busy = overDay("day_15_april", share, { until: 12, servers: 100 });
    const answer = await solved(problemOf(folder, busy));
    expect(changes(answer)).toEqual([[5, 6]]);
    // By night a title is not copied beside likes, since it changes more often than lists are read.
    const copied = (step: number) =>
      schemaAt(answer, step).filter((text) => text.includes("likes") && text.includes("Title"));
    expect([copied(5).length, copied(6).length]).toEqual([0, 1]);
  });
});
