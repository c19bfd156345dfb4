import { describe, expect, test } from "vitest";
import type { ImportPlan } from "#model/imported-schema.ts";
import { addEntity, addStatement, setPositions } from "./commands.ts";
import { recordChange, startHistory, undo } from "./history.ts";
import { importedDocument, mergeModel, replaceModel } from "./import-commands.ts";
import { readDocument, writeDocument } from "./read.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";
import { entityGraphOf } from "./to-problem.ts";

const imported: ImportPlan = {
  entities: [
    {
      name: "customer",
      count: 50,
      attributes: [
        { name: "id", type: "int" },
        { name: "city", type: "text", bytes: 30 },
      ],
      identifier: ["id"],
      line: 1,
    },
    {
      name: "order",
      count: 200,
      attributes: [
        { name: "nr", type: "int" },
        { name: "customer_id", type: "int", distinct: 50 },
      ],
      identifier: ["nr"],
      note: "from the shop",
      line: 5,
    },
  ],
  relationships: [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "customer", role: "customer" },
        { entity: "order", role: "orders" },
      ],
      bind: { customer_id: "id" },
    },
  ],
  questions: [],
  renamed: [],
  notes: [],
};

function drawn(): StudioDocument {
  const edits = [
    (document: StudioDocument) =>
      addEntity(document, "c1", {
        name: "Customer",
        count: 7,
        attributes: [
          { name: "id", type: "uuid" },
          { name: "name", type: "text" },
        ],
        identifier: ["id"],
      }),
    (document: StudioDocument) => setPositions(document, { c1: { x: 100, y: 40 } }),
    (document: StudioDocument) =>
      addStatement(document, "q1", {
        text: "SELECT Customer.name FROM Customer WHERE Customer.id = ?",
      }),
  ];
  return edits.reduce((document, edit) => {
    const next = edit(document);
    if (!next.ok) throw new Error(JSON.stringify(next.issues));
    return next.value;
  }, emptyDocument("shop"));
}

function settled(edit: ReturnType<typeof mergeModel>) {
  if (!edit.ok) throw new Error(JSON.stringify(edit.issues));
  return { document: edit.value, told: edit.warnings.map(({ message }) => message) };
}

describe("a new project", () => {
  test("holds what was imported, and its file is read back as it is", () => {
    const document = importedDocument("  ", imported);
    expect(document.name).toBe("Imported schema");
    expect(document.entities["order"]).toEqual({
      count: 200,
      attributes: [
        { name: "nr", type: "int" },
        { name: "customer_id", type: "int", distinct: 50 },
      ],
      identifier: ["nr"],
      note: "from the shop",
    });
    expect(readDocument(writeDocument(document))).toMatchObject({ ok: true, value: document });
    const graph = entityGraphOf(document);
    expect(graph.ok && graph.value.relationships[0]?.foreignKey).toEqual([
      { child: "customer_id", parent: "id" },
    ]);
  });
});

describe("replacing", () => {
  test("takes the place of all entities, keeps statements and says so", () => {
    const before = drawn();
    const { document, told } = settled(replaceModel(before, imported));
    expect(Object.keys(document.entities)).toEqual(["customer", "order"]);
    expect(document.statements).toBe(before.statements);
    expect(document.layout.positions).toEqual({});
    expect(told).toEqual([
      "1 statement stays as written; those that name what is gone no longer parse.",
    ]);
  });

  test("is one step to undo", () => {
    const before = drawn();
    const { document } = settled(replaceModel(before, imported));
    const history = recordChange(startHistory(before), "Import", document);
    expect(undo(history).present).toBe(before);
  });
});

describe("merging", () => {
  test("unites entities of the same name: what is there stays, what is missing comes, all told", () => {
    const { document, told } = settled(mergeModel(drawn(), imported, "unite"));
    expect(Object.keys(document.entities)).toEqual(["c1", "order"]);
    expect(document.entities["c1"]).toEqual({
      name: "Customer",
      count: 7,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "name", type: "text" },
        { name: "city", type: "text", bytes: 30 },
      ],
      identifier: ["id"],
    });
    expect(Object.values(document.relationships).map(({ ends }) => ends[0].entity)).toEqual(["c1"]);
    expect(told).toEqual([
      "Customer is there already: it gets city; its number of records stays 7.",
      "id of Customer stays uuid; the import says int.",
    ]);
    expect(entityGraphOf(document).ok).toBe(true);
  });

  test("beside each other, the imported one gets another name", () => {
    const { document, told } = settled(mergeModel(drawn(), imported, "beside"));
    expect(Object.keys(document.entities)).toEqual(["c1", "customer_2", "order"]);
    expect(told).toEqual([
      "An entity customer is there already; the imported one is called customer_2.",
    ]);
    // Below what a person has placed, and apart from each other.
    const { positions } = document.layout;
    expect(positions["c1"]).toEqual({ x: 100, y: 40 });
    expect(new Set(Object.values(positions).map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
  });

  test("a second time adds nothing but what it tells", () => {
    const once = settled(mergeModel(drawn(), imported, "unite")).document;
    const { document, told } = settled(mergeModel(once, imported, "unite"));
    expect(document.relationships).toEqual(once.relationships);
    expect(Object.keys(document.entities)).toEqual(Object.keys(once.entities));
    expect(told).toContain(
      "order has a relationship customer with Customer already; it stays as it is.",
    );
  });

  test("a role that is taken gets another name", () => {
    const base = drawn();
    const clash = settled(
      mergeModel(
        base,
        {
          ...imported,
          relationships: imported.relationships.map((each) => ({
            ...each,
            ends: [each.ends[0], { entity: "order", role: "name" }] as const,
          })),
        },
        "unite",
      ),
    );
    expect(clash.told.at(-1)).toBe(
      "Customer has a role or attribute name already; the imported role is called name_2.",
    );
  });
});
