/** Pins, bans, start and hand-made schemas in the document: read, judged, edited, kept through other edits. */
import { describe, expect, test } from "vitest";
import { type Edit, removeStatement, setTimeline } from "./commands.ts";
import { documentFrom, readDocument, writeDocument } from "./read.ts";
import { renameAttribute, renameEntity, renameRole } from "./rename.ts";
import type { StudioDocument } from "./schema.ts";
import {
  addRestriction,
  removeRestriction,
  setHandMade,
  setStartSchema,
} from "./tables-commands.ts";
import { readHandMade } from "./tables-schema.ts";
import { problemKey, toProblem } from "./to-problem.ts";

function unwrapped<Value>(
  result: { ok: true; value: Value } | { ok: false; issues: unknown },
): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

function complaints(edit: Edit): string {
  if (edit.ok) throw new Error("not refused");
  return edit.issues.map(({ place, message, hint }) => `${place}: ${message} ${hint}`).join("\n");
}

const bare = unwrapped(
  documentFrom({
    format: "tidetable",
    version: 1,
    name: "Shop",
    entities: {
      user: {
        count: 100,
        attributes: [
          { name: "id", type: "uuid" },
          { name: "name", type: "text" },
        ],
        identifier: ["id"],
      },
      item: {
        count: 1000,
        attributes: [
          { name: "id", type: "uuid" },
          { name: "price", type: "int" },
        ],
        identifier: ["id"],
      },
    },
    relationships: {
      sells: {
        multiplicity: "oneToMany",
        ends: [
          { entity: "user", role: "seller" },
          { entity: "item", role: "items" },
        ],
      },
    },
    statements: {
      q1: { text: "SELECT user.name FROM user WHERE user.id = ?" },
      q2: { text: "SELECT items.price FROM user.items WHERE user.id = ?" },
      u1: { text: "UPDATE user SET name = ? WHERE user.id = ?" },
    },
    timeline: { steps: 4, stepSeconds: 60 },
    frequencies: { q1: 1, q2: [1, 2, 3, 4], u1: 0.1 },
  }),
);
const byUser = "[item.seller.id] [item.id] -> item.price";
const users = "[user.id] [] -> user.name";
const joined = "[user.id] [item.id] -> item.price, user.name of item(seller:user)";

const ban = { kind: "family", demand: "ban", family: byUser, steps: [2, 3] } as const;
const pin = { kind: "plan", demand: "pin", statement: "q1", families: [users] } as const;

describe("pins and bans in a document", () => {
  const with1 = unwrapped(addRestriction(bare, ban));
  const with2 = unwrapped(addRestriction(with1, pin));

  test("become restrictions of the problem, steps counted from 0 there", () => {
    const { restrictions } = unwrapped(toProblem(with2));
    expect(restrictions).toMatchObject([
      { kind: "family", demand: "ban", steps: [1, 2] },
      { kind: "plan", demand: "pin", statement: "q1" },
    ]);
    expect(unwrapped(toProblem(bare))).not.toHaveProperty("restrictions");
  });

  test("make another problem, and are lifted again", () => {
    expect(problemKey(with1)).not.toBe(problemKey(bare));
    const [id] = Object.keys(with1.restrictions ?? {});
    expect(unwrapped(removeRestriction(with1, id ?? ""))).toEqual(bare);
    expect(complaints(removeRestriction(bare, "ban"))).toContain("no pin or ban ban");
    expect(unwrapped(addRestriction(with1, ban))).toBe(with1);
  });

  test("survive writing and reading", () => {
    expect(unwrapped(readDocument(writeDocument(with2)))).toEqual(with2);
  });

  test("are refused where they name nothing, with the place", () => {
    const family = "[user.id] [] -> user.nam";
    expect(complaints(addRestriction(bare, { ...ban, family }))).toMatch(
      /restrictions\/ban\/family: .*user\.nam.*user\.name/,
    );
    expect(complaints(addRestriction(bare, { ...ban, steps: [5] }))).toContain(
      "restrictions/ban/steps: There is no step 5. The steps are 1 to 4.",
    );
    expect(complaints(addRestriction(bare, { ...pin, statement: "q9" }))).toContain(
      "There is no statement q9.",
    );
    expect(complaints(addRestriction(bare, { ...pin, statement: "u1" }))).toContain(
      "has no plan of its own",
    );
  });

  test("of a plan go with its statement", () => {
    const after = unwrapped(removeStatement(with2, "q1"));
    expect(Object.values(after.restrictions ?? {})).toEqual([ban]);
  });

  test("follow the steps", () => {
    const half = unwrapped(setTimeline(with2, { steps: 2, stepSeconds: 120 }, "stretch"));
    // New step 1 shows old steps 1 and 2 and begins with 1; new step 2 begins with old step 3.
    expect(Object.values(half.restrictions ?? {})).toEqual([{ ...ban, steps: [2] }, pin]);
    const double = unwrapped(setTimeline(with2, { steps: 8, stepSeconds: 30 }, "stretch"));
    expect(Object.values(double.restrictions ?? {})[0]).toEqual({ ...ban, steps: [3, 4, 5, 6] });
    const cut = unwrapped(setTimeline(with2, { steps: 1, stepSeconds: 60 }, "cut"));
    expect(Object.values(cut.restrictions ?? {})).toEqual([pin]);
  });
});

describe("schemas that a person names", () => {
  const schema = { name: "mine", schemas: [[users, byUser]] };

  test("become schemas of the problem and are forgotten again", () => {
    const started = unwrapped(setStartSchema(bare, [users]));
    expect(unwrapped(toProblem(started)).startSchema?.map(({ key }) => key)).toEqual([
      "[user.id] [] → user.name of user",
    ]);
    expect(unwrapped(setStartSchema(started, undefined))).toEqual(bare);
    const mine = unwrapped(setHandMade(bare, schema));
    expect(unwrapped(toProblem(mine)).handMade?.schemas[0]).toHaveLength(2);
    expect(unwrapped(setHandMade(mine, undefined))).toEqual(bare);
    expect(unwrapped(readDocument(writeDocument(mine)))).toEqual(mine);
  });

  test("are refused with the place of the table, or when their number is not that of the steps", () => {
    const wrong = { name: "mine", schemas: [[users, "[item.price] []"]] };
    expect(complaints(setHandMade(bare, wrong))).toContain("handMade/schemas/0/1: The key");
    const two = { name: "mine", schemas: [[users], [users]] };
    expect(complaints(setHandMade(bare, two))).toContain("2 schemas for 4 steps");
  });

  test("without effect are told", () => {
    const document = unwrapped(setStartSchema(bare, [users]));
    const cyclic: StudioDocument = {
      ...document,
      settings: { ...document.settings, options: { ...document.settings.options, cyclic: true } },
    };
    const problem = toProblem(cyclic);
    expect(problem.ok && problem.warnings.map(({ place }) => place)).toContain("startSchema");
  });

  test("follow a renaming", () => {
    let document = unwrapped(setStartSchema(bare, [byUser, joined]));
    document = unwrapped(addRestriction(document, { ...ban, family: joined }));
    const before = unwrapped(toProblem(document));
    document = unwrapped(renameEntity(document, "user", "member"));
    document = unwrapped(renameAttribute(document, "item", "price", "cost"));
    document = unwrapped(renameRole(document, "sells", 0, "vendor"));
    const after = unwrapped(toProblem(document));
    expect(after.startSchema?.map(({ key }) => key)).toEqual([
      "[item.vendor.id] [item.id↑] → item.cost of item",
      "[member.id] [item.id↑] → item.cost, member.name of item(vendor:member)",
    ]);
    expect(after.startSchema?.map(({ size }) => size)).toEqual(
      before.startSchema?.map(({ size }) => size),
    );
  });

  test("come from a file: a list, or an object with a name", () => {
    expect(unwrapped(readHandMade(JSON.stringify([users]), "expert.json"))).toEqual({
      name: "expert.json",
      schemas: [[users]],
    });
    expect(unwrapped(readHandMade(JSON.stringify(schema), "expert.json"))).toEqual(schema);
    const wrong = readHandMade('["a", 3]', "x");
    expect(wrong.ok || wrong.issues.map(({ place }) => place)).toEqual(["1"]);
  });
});
