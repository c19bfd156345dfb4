import { describe, expect, it } from "vitest";
import { families, problem, recommendation } from "../hotel-specimen.ts";
import { answerIndex } from "./answer-index.ts";
import { partitionCautions, schemaCards, schemaChange, shareOfRequests } from "./schema-rows.ts";

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

  it("names the updates that write a table, and those whose support queries read it", () => {
    const cards = schemaCards(recommendation, index, 1);
    const ofGuest = index.tags.get(families.ofGuest.key);
    expect(cards.find((card) => card.family === families.reservations)).toMatchObject({
      supportFor: [{ statement: "u1", label: "extend a stay", tables: [ofGuest] }],
      writtenBy: [{ statement: "u1", puts: 1, deletes: 0 }],
    });
    const guests = cards.find((card) => card.family === families.guests);
    expect([guests?.supportFor, guests?.writtenBy]).toEqual([[], []]);
  });

  it("tells how a new table was filled, and what an unread one is kept for", () => {
    const arrivals = schemaCards(recommendation, index, 2).find((card) => card.isNew);
    expect(arrivals?.filling).toMatchObject({
      during: 1,
      sources: [families.arrivalIds, families.reservations, families.guests].map(({ key }) =>
        index.tags.get(key),
      ),
    });
    const { steps } = recommendation;
    const idle = {
      ...recommendation,
      steps: steps.map((step) => ({ ...step, plans: [], updates: [] })),
    };
    const guests = (answer: typeof recommendation, step: number) =>
      schemaCards(answer, index, step).find((card) => card.family === families.guests)?.laterUse;
    const built = [index.tags.get(families.arrivals.key)];
    expect(guests(idle, 0)).toEqual({ step: 1, builds: built });
    expect(guests(idle, 1)).toEqual({ step: 1, builds: built });
    expect(guests(idle, 2)).toBeUndefined();
    expect(guests(recommendation, 0)).toBeUndefined();
    expect(guests(recommendation, 2)).toEqual({ step: 5, builds: [] });
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

describe("the share of requests of one partition", () => {
  it("is per cent, or one in so many where per cent would be zeros", () => {
    expect(shareOfRequests(0.0125)).toBe("1.25\u00a0% of requests");
    expect(shareOfRequests(1 / 87_600_000)).toBe("1 in 87.6\u00a0M requests");
    expect(shareOfRequests(0)).toBe("0\u00a0% of requests");
  });
});
