/**
 * Schemas that experts made: the four tables of the likes example (case 20, after the eBay article) and the
 * tables of the hotel example in Cassandra's documentation. The optimum never costs more.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the examples.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { readDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { toProblem } from "#document/to-problem.ts";
import { checkRecommendation } from "#engine/check-recommendation.ts";
import { optimise } from "#engine/optimise.ts";
import { openHighs } from "#ilp/highs.ts";
import type { IlpSolver } from "#ilp/solve.ts";
import type { Problem } from "#model/problem.ts";
import type { HandMadeAnswer, Recommendation } from "#model/recommendation.ts";

let solver: IlpSolver;
beforeAll(async () => {
  solver = await openHighs();
});

function documentOf(path: string): StudioDocument {
  const read = readDocument(readFileSync(`${import.meta.dirname}/${path}/document.json`, "utf8"));
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return read.value;
}

function problemOf(document: StudioDocument): Problem {
  const problem = toProblem(document);
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

/** The optimum and the experts' schema; the optimum is not the dearer one, and the recount agrees with both. */
async function compared(
  document: StudioDocument,
): Promise<{ readonly answer: Recommendation; readonly experts: HandMadeAnswer }> {
  const problem = problemOf(document);
  const now = (): number => performance.now() / 1000;
  const answer = await optimise(problem, { gap: 0 }, { solver, now });
  if (!("objective" in answer) || !answer.handMade) throw new Error(JSON.stringify(answer));
  expect(answer.status).toBe("optimal");
  expect(checkRecommendation(answer, problem)).toEqual([]);
  const { handMade } = answer;
  expect(answer.objective).toBeLessThanOrEqual((handMade.cost ?? Number.NaN) * (1 + 1e-9));
  return { answer, experts: handMade };
}

describe("the experts' tables for likes", () => {
  const likes = documentOf("cases/20-likes-expert-schema");
  const families = [
    "[users.UserID] [] -> users.Name, users.Email",
    "[items.ItemID] [] -> items.Title, items.Desc",
    "[users.UserID] [likes.LikedAt, likes.LikeID, items.ItemID] of likes(user:users,item:items)",
    "[items.ItemID] [likes.LikedAt, likes.LikeID, users.UserID] of likes(user:users,item:items)",
  ];
  const byHand = (often: number, bytes?: number): StudioDocument => ({
    ...likes,
    handMade: { name: "experts", schemas: [families] },
    frequencies: {
      ...likes.frequencies,
      updateTitle: likes.frequencies["updateTitle"]?.map(() => often) ?? [],
    },
    settings: {
      ...likes.settings,
      storage: bytes === undefined ? { kind: "none" } : { kind: "bytes", bytes },
    },
  });

  test.each([0, 10, 1000])(
    "never beat the optimum, titles changing %d times a second",
    async (often) => {
      const { experts } = await compared(byHand(often));
      expect(experts.unanswered).toEqual([]);
      expect(experts.schemas[0]).toHaveLength(4);
      // Under a limit of just their size too, and titles that change often leave nothing better.
      const { answer } = await compared(byHand(often, experts.storageBytes));
      expect(answer.objective).toBeLessThanOrEqual((experts.cost ?? 0) * (1 + 1e-9));
    },
  );

  test("are read by one Get for a record and two for a list", async () => {
    const { answer, experts } = await compared(byHand(1));
    const plans = new Map(answer.plans.map((plan) => [plan.key, plan.columnFamilies.length]));
    const gets = experts.steps?.[0]?.plans.map(({ statement, plan }) => [
      statement,
      plans.get(plan),
    ]);
    expect(Object.fromEntries(gets ?? [])).toMatchObject({ itemsLiked: 2, usersWhoLiked: 2 });
  });

  test("without the items serve neither items nor the list of what a user liked", async () => {
    const { handMade: _, ...rest } = byHand(1);
    const some = families.filter((_family, index) => index !== 1);
    const problem = problemOf({ ...rest, handMade: { name: "half", schemas: [some] } });
    const now = (): number => performance.now() / 1000;
    const answer = await optimise(problem, { gap: 0 }, { solver, now });
    if (!("objective" in answer)) throw new Error(answer.status);
    expect(answer.handMade?.cost).toBeUndefined();
    const unanswered = answer.handMade?.unanswered.map(({ statement }) => statement);
    expect(unanswered).toContain("itemsLiked");
    expect(unanswered).not.toContain("usersWhoLiked");
    expect(checkRecommendation(answer, problem)).toEqual([]);
  });
});

describe("the tables of the documentation's hotel example", () => {
  const hotel = documentOf("hotel");
  const families = [
    "[poi.name] [hotel.id] -> hotel.name, hotel.phone, hotel.address",
    "[hotel.id] [] -> hotel.name, hotel.phone, hotel.address",
    "[hotel.id] [poi.name] -> poi.description",
    "[availability.room.hotel.id] [availability.date, availability.room.number] -> availability.isAvailable",
    "[room.hotel.id, room.number] [amenity.name] -> amenity.description, room.rate",
    "[reservation.confirmation] [] -> reservation.startDate, reservation.endDate, reservation.room.hotel.id, reservation.room.number, reservation.guest.id",
    "[reservation.room.hotel.id, reservation.startDate] [reservation.room.number, reservation.confirmation] -> reservation.endDate, reservation.guest.id",
    "[guest.lastName] [reservation.room.hotel.id, reservation.room.number, reservation.startDate, reservation.confirmation] -> reservation.endDate, guest.id",
    "[guest.id] [] -> guest.firstName, guest.lastName, guest.email, guest.phone",
  ];

  test("answer all nine patterns by one Get each, and never beat the optimum", async () => {
    const night = (curve: readonly number[]): readonly number[] => [curve[0] ?? 0, curve[4] ?? 0];
    const { answer, experts } = await compared({
      ...hotel,
      handMade: { name: "documentation", schemas: [families] },
      timeline: { steps: 2, stepSeconds: 43_200 },
      frequencies: Object.fromEntries(
        Object.entries(hotel.frequencies).map(([id, curve]) => [id, night(curve)]),
      ),
      settings: { ...hotel.settings, storage: { kind: "none" } },
    });
    const plans = new Map(answer.plans.map((plan) => [plan.key, plan]));
    for (const step of experts.steps ?? []) {
      expect(step.plans).toHaveLength(9);
      for (const { plan } of step.plans) expect(plans.get(plan)?.columnFamilies).toHaveLength(1);
    }
    const availability = answer.columnFamilies.find(({ key }) => key.includes("isAvailable"));
    expect(availability?.size).toMatchObject({
      rowsPerPartition: 73_000,
      bytesPerPartition: 1_095_005,
    });
  });
});
