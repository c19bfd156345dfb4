/** Column families as a person writes them; every key reads back as itself. */
import { describe, expect, test } from "vitest";
import { columnFamilyText } from "./column-family.ts";
import { parseColumnFamily } from "./column-family-text.ts";
import { buildEntityGraph } from "./entity-drawing.ts";
import type { EntityGraph } from "./entity-graph.ts";

function graphOf(...parts: Parameters<typeof buildEntityGraph>): EntityGraph {
  const built = buildEntityGraph(...parts);
  if (!built.ok) throw new Error(JSON.stringify(built.issues));
  return built.value;
}

const likes = graphOf(
  [
    {
      name: "user",
      count: 100,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "full name", type: "text" },
      ],
      identifier: ["id"],
    },
    {
      name: "item",
      count: 1000,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "title", type: "text" },
        { name: "views", type: "counter" },
      ],
      identifier: ["id"],
    },
    {
      name: "like",
      count: 10_000,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "at", type: "timestamp" },
      ],
      identifier: ["id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "user", role: "user" },
        { entity: "like", role: "likes" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "item", role: "item" },
        { entity: "like", role: "likes" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "user", role: "boss" },
        { entity: "user", role: "staff" },
      ],
      optional: true,
      links: 90,
    },
  ],
);

const read = (text: string) => parseColumnFamily(text, likes, "here", 1);

function keyOf(text: string): string {
  const result = read(text);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value.key;
}

function refusal(text: string): string {
  const result = read(text);
  if (result.ok) throw new Error(`read as ${columnFamilyText(result.value)}`);
  return result.issues.map(({ message, hint }) => `${message} ${hint}`).join(" ");
}

describe("a column family as text", () => {
  test("reads keys, directions and values", () => {
    expect(keyOf("[user.id] [] -> user.full name")).toBe("[user.id] [] → user.full name of user");
    expect(keyOf("[user.id] [like.at desc, like.id] of like(user:user)")).toBe(
      "[user.id] [like.at↓, like.id↑] of like(user:user)",
    );
  });

  test("infers the entities where they can be joined in one way", () => {
    expect(keyOf("[like.item.id] [like.id]")).toBe("[like.item.id] [like.id↑] of like");
    expect(keyOf("[item.id] [like.at, like.id] -> user.full name")).toBe(
      "[item.id] [like.at↑, like.id↑] → user.full name of item(likes:like(user:user))",
    );
  });

  test("reads its own keys, walks of one entity through itself among them", () => {
    for (const text of [
      "[user.id] [user.staff.id] → user.staff.full name of user(staff:user)",
      "[*] [user.id] of user",
      "[item.id] [like.at desc, like.id] → user.full name of like(item:item,user:user)",
    ]) {
      const key = keyOf(text);
      expect(keyOf(key)).toBe(key);
    }
  });

  test("says at which character, what, and how to mend it", () => {
    expect(refusal("[user.id] [] -> user.fullname")).toMatch(
      /At character 17: there is no column user.fullname\. .*user\.full name/,
    );
    expect(refusal("user.id [] -> user.full name")).toContain("partition key is missing");
    expect(refusal("[user.id [] -> user.full name")).toContain("does not end here");
    expect(refusal("[user.id] [] -> user.full name item.title of user")).toContain(
      "item.title belongs nowhere",
    );
    expect(refusal("[user.id] [] of usr")).toContain("no walk of entities and roles");
    expect(refusal("[user.id] [user.id]")).toContain("stands there twice");
    expect(refusal("[] [user.id]")).toContain("partition key is empty");
    expect(refusal("[user.id] [item.id]")).toContain("how user and item are joined");
    expect(refusal("nonsense")).toContain("no column of an entity");
  });

  test("refuses a key under which rows would overwrite each other", () => {
    expect(refusal("[user.id] [like.at] of like(user:user)")).toMatch(
      /does not tell the rows apart: several rows of like .* like\.id/,
    );
  });

  test("refuses counters in keys and beside other values", () => {
    expect(refusal("[item.views] [item.id]")).toContain("counter stands in the key");
    expect(refusal("[item.id] [] -> item.title, item.views")).toContain("table of their own");
    expect(keyOf("[item.id] [] -> item.views")).toBe("[item.id] [] → item.views of item");
  });
});
