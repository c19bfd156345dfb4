import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addAttribute, addEntity, addRelationship, type Edit } from "./commands.ts";
import { copyGraph, pasteGraph } from "./graph-clipboard.ts";
import {
  freshEntityName,
  moveAttribute,
  newAttribute,
  newEntity,
  newRelationship,
  removeParts,
  setIdentifies,
} from "./graph-commands.ts";
import { endMarks, markText, setEndMark } from "./multiplicity.ts";
import { readDocument, writeDocument } from "./read.ts";
import { emptyDocument, type StudioDocument } from "./schema.ts";
import { entityGraphOf } from "./to-problem.ts";

const fixture = readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8"));
if (!fixture.ok) throw new Error("the sample file does not load");
const hotel: StudioDocument = fixture.value;

function edited(edit: Edit): StudioDocument {
  if (!edit.ok) throw new Error(edit.issues.map((issue) => issue.message).join("\n"));
  return edit.value;
}

const complaints = (edit: Edit): string[] =>
  (edit.ok ? edit.warnings : edit.issues).map(({ message }) => message);

function withEntity(document: StudioDocument): StudioDocument {
  const { id, entity } = newEntity(document);
  return edited(addEntity(document, id, entity));
}

function related(document: StudioDocument, parent: string, child: string): StudioDocument {
  const drawn = newRelationship(document, parent, child);
  if (!drawn) throw new Error("an end is missing");
  return edited(addRelationship(document, drawn.id, drawn.relationship));
}

/** Two entities and one relationship between them. */
const pair = related(withEntity(withEntity(emptyDocument("pair"))), "entity", "entity2");
const [pairId = ""] = Object.keys(pair.relationships);

describe("drawing", () => {
  test("what is new is complete: the engine could start from it", () => {
    const twice = related(related(pair, "entity", "entity2"), "entity2", "entity2");
    const graph = entityGraphOf(twice);
    expect(graph.ok ? [] : graph.issues).toEqual([]);
    expect(
      Object.values(twice.relationships).map(({ ends }) => ends.map(({ role }) => role)),
    ).toEqual([
      ["entity", "entity2s"],
      ["entity2", "entity2s2"],
      ["parent", "children"],
    ]);
  });

  test("names are free among attributes, roles and entities, whatever their capitals", () => {
    const shouting = edited(addEntity(emptyDocument("x"), "ENTITY", newEntity(pair).entity));
    expect(newEntity(shouting).id).toBe("entity2");
    expect(freshEntityName(pair, "ENTITY")).toBe("ENTITY3");
    expect(newAttribute(pair, "entity2")).toEqual({ name: "attribute", type: "text" });
    const held = edited(addAttribute(pair, "entity", { name: "Entity2s2", type: "text" }));
    const { ends } = newRelationship(held, "entity", "entity2")?.relationship ?? {};
    expect(ends?.map(({ role }) => role)).toEqual(["entity2", "entity2s3"]);
    expect(newRelationship(pair, "entity", "nobody")).toBeUndefined();
  });

  test("an attribute moves within its entity, and no further than its ends", () => {
    const names = (document: StudioDocument): string[] =>
      document.entities["entity"]?.attributes.map(({ name }) => name) ?? [];
    const second = edited(addAttribute(pair, "entity", { name: "b", type: "text" }));
    const third = edited(addAttribute(second, "entity", { name: "c", type: "text" }));
    expect(names(edited(moveAttribute(third, "entity", "id", 1)))).toEqual(["b", "id", "c"]);
    expect(names(edited(moveAttribute(third, "entity", "id", 99)))).toEqual(["b", "c", "id"]);
    expect(edited(moveAttribute(third, "entity", "id", -1))).toBe(third);
    expect(moveAttribute(third, "entity", "d", 0).ok).toBe(false);
  });

  test("a role can identify, and is taken out again", () => {
    const weak = edited(setIdentifies(pair, "entity2", "entity", true));
    expect(weak.entities["entity2"]?.identifier).toEqual(["id", "entity"]);
    expect(edited(setIdentifies(weak, "entity2", "entity", true))).toBe(weak);
    expect(writeDocument(edited(setIdentifies(weak, "entity2", "entity", false)))).toBe(
      writeDocument(pair),
    );
  });
});

describe("multiplicity at one end", () => {
  const texts = (document: StudioDocument): string[] => {
    const relationship = document.relationships[pairId];
    return relationship ? endMarks(relationship).map(markText) : [];
  };
  const many = { least: 0, most: "n" } as const;
  const some = { least: 1, most: "n" } as const;
  const one = { least: 1, most: 1 } as const;

  test("many at both ends asks for a number of links and takes the key away", () => {
    const weak = edited(setIdentifies(pair, "entity2", "entity", true));
    const edit = setEndMark(weak, pairId, 0, many);
    expect(complaints(edit)).toEqual(["The identifier of entity2 has lost entity."]);
    const both = edited(edit);
    expect(texts(both)).toEqual(["0..n", "0..n"]);
    expect(both.relationships[pairId]?.links).toBe(1000);
    expect(entityGraphOf(both).ok).toBe(true);
    expect(edited(setEndMark(both, pairId, 0, one)).relationships[pairId]).toEqual(
      pair.relationships[pairId],
    );
  });

  test("the ends change places where the other one becomes the one side", () => {
    const both = edited(setEndMark(pair, pairId, 0, many));
    const turned = edited(setEndMark(both, pairId, 1, one));
    expect(turned.relationships[pairId]?.ends.map(({ entity }) => entity)).toEqual([
      "entity2",
      "entity",
    ]);
    expect(texts(turned)).toEqual(["1", "0..n"]);
    expect(turned.relationships[pairId]?.links).toBeUndefined();
  });

  test("at least one stands at one end of many-to-many, not at both", () => {
    const both = edited(setEndMark(pair, pairId, 0, many));
    const turned = edited(setEndMark(both, pairId, 0, some));
    expect(turned.relationships[pairId]?.ends[1].entity).toBe("entity");
    expect(texts(turned)).toEqual(["0..n", "1..n"]);
    expect(complaints(setEndMark(turned, pairId, 0, some))).toEqual([
      "At most one end of a many-to-many relationship can be at least one.",
    ]);
  });

  test("what is so already changes nothing; a missing relationship is told", () => {
    expect(edited(setEndMark(pair, pairId, 1, many))).toBe(pair);
    expect(setEndMark(pair, "nothing", 1, many).ok).toBe(false);
  });
});

describe("several parts at once", () => {
  test("removes entities with their relationships, and warns only about entities that stay", () => {
    const weak = edited(setIdentifies(pair, "entity2", "entity", true));
    expect(complaints(removeParts(weak, { entities: ["entity"], relationships: [] }))).toEqual([
      "The identifier of entity2 has lost entity.",
    ]);
    const all = { entities: ["entity", "entity2"], relationships: [pairId, "gone"] };
    expect(complaints(removeParts(weak, all))).toEqual([]);
    const rest = edited(removeParts(weak, all));
    expect([rest.entities, rest.relationships]).toEqual([{}, {}]);
  });

  test("a copy brings attributes and inner relationships under fresh names", () => {
    const weak = edited(setIdentifies(pair, "entity2", "entity", true));
    const positions = { entity: { x: 10, y: 20 }, entity2: { x: 110, y: 70 } };
    const text = copyGraph(weak, ["entity", "entity2"], positions);
    const pasted = pasteGraph(weak, text, { x: 500, y: 500 });
    if (!pasted.ok) throw new Error("not pasted");
    const { document, entities } = pasted.value;
    expect(entities).toEqual(["entity3", "entity4"]);
    expect(document.layout.positions["entity4"]).toEqual({ x: 600, y: 550 });
    expect(document.entities["entity4"]?.identifier).toEqual(["id", "entity"]);
    expect(Object.values(document.relationships).map(({ ends }) => ends[1])).toEqual([
      { entity: "entity2", role: "entity2s" },
      { entity: "entity4", role: "entity2s" },
    ]);
    expect(entityGraphOf(document).ok).toBe(true);
    expect(readDocument(writeDocument(document)).ok).toBe(true);
  });

  test("a parent that was not copied goes from the identifier, with a warning", () => {
    const weak = edited(setIdentifies(pair, "entity2", "entity", true));
    const pasted = pasteGraph(weak, copyGraph(weak, ["entity2"], {}), { x: 0, y: 0 });
    if (!pasted.ok) throw new Error("not pasted");
    expect(pasted.value.document.entities["entity3"]?.identifier).toEqual(["id"]);
    expect(pasted.warnings).toHaveLength(1);
  });

  test("whatever else lies on the clipboard is refused with a reason", () => {
    for (const text of ["", "CREATE TABLE t", "null", "[]", '{"format":"tidetable"}'])
      expect(pasteGraph(hotel, text, { x: 0, y: 0 })).toMatchObject({
        ok: false,
        issues: [{ message: "The clipboard holds no entities." }],
      });
    const broken =
      '{"format":"tidetable-entities","version":1,"entities":{"__proto__":{"count":1}}}';
    expect(pasteGraph(hotel, broken, { x: 0, y: 0 }).ok).toBe(false);
  });
});
