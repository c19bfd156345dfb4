import { describe, expect, it } from "vitest";
import { markText } from "#document/multiplicity.ts";
import { emptyDocument, type StudioDocument } from "#document/schema.ts";
import { foundEntities, keptKeys, keyRoles, roleRows } from "./outline-rows.ts";
import { fallsWith, partsName, usedParts } from "./used-parts.ts";

const end = (entity: string, role: string) => ({ entity, role });
const entity = (...names: string[]) => ({
  count: 10,
  attributes: ["id", ...names].map((name) => ({ name, type: "int" as const })),
  identifier: ["id"],
});

const shop: StudioDocument = {
  ...emptyDocument("Shop"),
  entities: {
    e1: { name: "customer", ...entity("city") },
    order: { ...entity("total"), identifier: ["customer", "id"] },
    note: entity("words"),
  },
  relationships: {
    r1: { multiplicity: "oneToMany", ends: [end("e1", "customer"), end("order", "orders")] },
    r2: {
      multiplicity: "oneToMany",
      ends: [end("note", "parent"), end("note", "answers")],
      optional: true,
    },
  },
  statements: {
    q1: { text: "SELECT order.total FROM order.customer WHERE customer.city = ?" },
    q2: { text: "SELECT note.words FROM note WHERE note.id = ?" },
    q3: { text: "SELECT nothing" },
    u1: { text: "INSERT INTO order SET id = ?, total = ? AND CONNECT TO customer(?)" },
  },
  frequencies: { q1: [1], q2: [1], q3: [1], u1: [1] },
};

describe("the outline", () => {
  it("shows a relationship from both sides, and a loop in both directions", () => {
    const rows = (id: string) =>
      roleRows(shop, id).map((row) => `${row.role} ${markText(row.mark)} ${row.farName}`);
    expect(rows("e1")).toEqual(["orders 0..n order"]);
    expect(rows("order")).toEqual(["customer 1 customer"]);
    expect(rows("note")).toEqual(["answers 0..n note", "parent 0..1 note"]);
    expect(keyRoles(roleRows(shop, "order")).map(({ role }) => role)).toEqual(["customer"]);
    expect(keyRoles(roleRows(shop, "note"))).toEqual([]);
  });

  it("keeps the rows of attributes that are moved or renamed", () => {
    const first = keptKeys(new Map(), ["a", "b", "c"]);
    expect(new Set(first.values()).size).toBe(3);
    const moved = keptKeys(first, ["c", "a", "b"]);
    expect([...moved]).toEqual(["c", "a", "b"].map((name) => [name, first.get(name)]));
    expect(keptKeys(first, ["a", "z", "c"]).get("z")).toBe(first.get("b"));
    const grown = keptKeys(first, ["a", "b", "c", "d"]);
    expect([...first.values()]).not.toContain(grown.get("d"));
    const replaced = keptKeys(first, ["a", "y", "z"]);
    expect([...first.values()]).not.toContain(replaced.get("y"));
  });

  it("finds names, attributes and roles in any capitals", () => {
    expect(foundEntities(shop, "  ")).toBeUndefined();
    expect(foundEntities(shop, "CUST")).toEqual(["e1", "order"]);
    expect(foundEntities(shop, "words")).toEqual(["note"]);
    expect(foundEntities(shop, "x")).toEqual([]);
  });
});

describe("what a statement uses", () => {
  it("names entities and relationships that it walks, also by connecting", () => {
    const parts = (id: string) => {
      const used = usedParts(shop, id);
      return used && [[...used.entities].sort(), [...used.relationships]];
    };
    expect(parts("q1")).toEqual([["e1", "order"], ["r1"]]);
    expect(parts("q2")).toEqual([["note"], []]);
    expect(parts("u1")).toEqual([["e1", "order"], ["r1"]]);
    expect(parts("q3")).toBeUndefined();
    expect(parts("gone")).toBeUndefined();
  });

  it("tells what falls with what is removed", () => {
    expect(fallsWith(shop, { entities: ["e1"], relationships: [] })).toEqual([
      "1 relationship went with it.",
      "The identifier of order has lost customer.",
      "q1 and u1 can no longer be read.",
    ]);
    expect(fallsWith(shop, { entities: [], relationships: ["r2"] })).toEqual([]);
    expect(partsName(shop, { entities: ["e1"], relationships: [] })).toBe("customer");
    expect(partsName(shop, { entities: ["e1", "note"], relationships: [] })).toBe("2 entities");
    expect(partsName(shop, { entities: [], relationships: ["r1"] })).toBe(
      "the relationship orders",
    );
  });
});
