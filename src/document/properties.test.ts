/** What holds for every document: random ones go to a file and back, through histories and commands. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import { defaultOptions } from "#model/problem.ts";
import { addAttribute, addEntity, addRelationship, type Edit, setPositions } from "./commands.ts";
import { copyGraph, pasteGraph } from "./graph-clipboard.ts";
import {
  moveAttribute,
  newAttribute,
  newEntity,
  newRelationship,
  removeParts,
  setIdentifies,
} from "./graph-commands.ts";
import { type History, recordChange, redo, startHistory, undo } from "./history.ts";
import { allMarks, setEndMark } from "./multiplicity.ts";
import { readDocument, writeDocument } from "./read.ts";
import { documentSchema, emptyDocument, type StudioDocument } from "./schema.ts";

const id = fc.stringMatching(/^[a-z_][a-z0-9_ -]{0,6}$/).filter((text) => !(text in {}));
const amount = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0);
const least1 = fc.double({ min: 1, max: 1e6, noNaN: true });

const attribute = fc.record(
  {
    name: id,
    type: fc.constantFrom("uuid", "text", "int", "boolean", "date"),
    bytes: least1,
    distinct: least1,
  },
  { requiredKeys: ["name", "type"] },
);

const entity = fc.record(
  {
    name: id,
    count: least1,
    attributes: fc.array(attribute, { maxLength: 4 }),
    identifier: fc.array(id, { maxLength: 2 }),
    note: fc.string(),
  },
  { requiredKeys: ["count", "attributes", "identifier"] },
);

const statement = fc.record(
  {
    label: fc.string(),
    group: fc.constantFrom("read", "write"),
    text: fc.string(),
    assumptions: fc.record(
      {
        selectivity: fc.dictionary(id, fc.double({ min: 0, max: 1, noNaN: true })),
        listLength: fc.dictionary(id, least1),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["text"] },
);

function relationshipsBetween(entities: readonly string[]) {
  if (entities.length === 0) return fc.constant({});
  const end = fc.record({ entity: fc.constantFrom(...entities), role: id });
  return fc.dictionary(
    id,
    fc.record(
      {
        multiplicity: fc.constantFrom("oneToOne", "oneToMany", "manyToMany"),
        ends: fc.tuple(end, end),
        links: least1,
        optional: fc.boolean(),
        atLeastOne: fc.boolean(),
        bind: fc.dictionary(id, id),
      },
      { requiredKeys: ["multiplicity", "ends"] },
    ),
    { maxKeys: 3 },
  );
}

/** Any document that keeps the promises of `schema.ts`; its statements need not parse. */
const anyDocument: fc.Arbitrary<StudioDocument> = fc
  .record({
    entities: fc.dictionary(id, entity, { maxKeys: 3, noNullPrototype: true }),
    statements: fc.dictionary(id, statement, { maxKeys: 4, noNullPrototype: true }),
    steps: fc.integer({ min: 1, max: 5 }),
  })
  .chain(({ entities, statements, steps }) =>
    fc.record({
      name: fc.string({ minLength: 1 }),
      entities: fc.constant(entities),
      statements: fc.constant(statements),
      relationships: relationshipsBetween(Object.keys(entities)),
      steps: fc.constant(steps),
      stepSeconds: least1,
      curves: fc.array(fc.array(amount, { minLength: steps, maxLength: steps }), {
        minLength: Object.keys(statements).length,
        maxLength: Object.keys(statements).length,
      }),
      positions: fc.array(fc.record({ x: fc.integer(), y: fc.integer() }), {
        minLength: Object.keys(entities).length,
        maxLength: Object.keys(entities).length,
      }),
      gap: fc.double({ min: 0, max: 1, noNaN: true }),
      sizeFactor: least1,
    }),
  )
  .map((parts) => ({
    ...emptyDocument(parts.name),
    entities: parts.entities,
    relationships: parts.relationships as StudioDocument["relationships"],
    statements: parts.statements,
    timeline: { steps: parts.steps, stepSeconds: parts.stepSeconds },
    frequencies: Object.fromEntries(
      Object.keys(parts.statements).map((key, index) => [key, parts.curves[index] ?? []]),
    ),
    settings: {
      storage: { kind: "none" },
      options: { ...defaultOptions, sizeFactor: parts.sizeFactor },
      costModel: defaultCostModel,
      gap: parts.gap,
    },
    layout: {
      positions: Object.fromEntries(
        Object.keys(parts.entities).map((key, index) => [
          key,
          parts.positions[index] ?? { x: 0, y: 0 },
        ]),
      ),
    },
  }));

/** The edits of the model room, each on parts picked by numbers. */
type Drawing = (document: StudioDocument, pick: (from: readonly string[]) => string) => Edit;
const nothing = (document: StudioDocument): Edit => ({ ok: true, value: document, warnings: [] });
const drawings: readonly Drawing[] = [
  (document) => {
    const { id: fresh, entity: record } = newEntity(document);
    return addEntity(document, fresh, record, { x: 1, y: 2 });
  },
  (document, pick) => {
    const owner = pick(Object.keys(document.entities));
    const record = newAttribute(document, owner);
    return record ? addAttribute(document, owner, record) : nothing(document);
  },
  (document, pick) => {
    const ids = Object.keys(document.entities);
    const drawn = newRelationship(document, pick(ids), pick(ids));
    return drawn ? addRelationship(document, drawn.id, drawn.relationship) : nothing(document);
  },
  (document, pick) => {
    const owner = pick(Object.keys(document.entities));
    const names = document.entities[owner]?.attributes.map(({ name }) => name) ?? [];
    return moveAttribute(document, owner, pick(names), Number(pick(["0", "1", "2"])));
  },
  (document, pick) => {
    const owner = pick(Object.keys(document.entities));
    const names = document.entities[owner]?.attributes.map(({ name }) => name) ?? [];
    return setIdentifies(document, owner, pick(names), pick(["yes", "no"]) === "yes");
  },
  (document, pick) => {
    const mark = allMarks[Number(pick(["0", "1", "2", "3"]))] ?? { least: 1, most: 1 };
    const end = pick(["one", "other"]) === "one" ? 0 : 1;
    return setEndMark(document, pick(Object.keys(document.relationships)), end, mark);
  },
  (document, pick) =>
    setPositions(document, { [pick(Object.keys(document.entities))]: { x: 7, y: 9 } }),
  (document, pick) => {
    const ids = Object.keys(document.entities);
    const text = copyGraph(document, [pick(ids), pick(ids)], document.layout.positions);
    const pasted = pasteGraph(document, text, { x: 0, y: 0 });
    return pasted.ok ? { ...pasted, value: pasted.value.document } : pasted;
  },
  (document, pick) =>
    removeParts(document, {
      entities: [pick(Object.keys(document.entities))],
      relationships: [pick(Object.keys(document.relationships))],
    }),
];

const drawingSteps = fc.array(
  fc.tuple(fc.nat(drawings.length - 1), fc.array(fc.nat(20), { minLength: 3, maxLength: 3 })),
  { minLength: 1, maxLength: 12 },
);

/** The history of a person who draws; refused edits change nothing. */
function drawn(
  start: StudioDocument,
  steps: readonly (readonly [number, readonly number[]])[],
): History {
  return steps.reduce((history, [which, numbers], index) => {
    let used = 0;
    const pick = (from: readonly string[]): string =>
      from[(numbers[used++ % numbers.length] ?? 0) % Math.max(1, from.length)] ?? "";
    const edit = drawings[which]?.(history.present, pick) ?? nothing(history.present);
    return edit.ok ? recordChange(history, `edit ${index}`, edit.value) : history;
  }, startHistory(start));
}

function times(count: number, action: (history: History) => History, start: History): History {
  let history = start;
  for (let i = 0; i < count; i += 1) history = action(history);
  return history;
}

describe("every document", () => {
  test("random documents are documents", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(documentSchema.safeParse(document).success).toBe(true);
      }),
    );
  });

  test("writes what readDocument reads back", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const text = writeDocument(document);
        const read = readDocument(text);
        expect(read).toEqual({ ok: true, value: document, warnings: [] });
        if (read.ok) expect(writeDocument(read.value)).toBe(text);
      }),
    );
  });

  test("n undos and then n redos change nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), anyDocument), { maxLength: 8 }),
        fc.nat(10),
        fc.nat(10),
        (changes, undone, count) => {
          const all = changes.reduce(
            (history, [label, next]) => recordChange(history, label, next),
            startHistory(emptyDocument("start")),
          );
          const start = times(undone, undo, all);
          const n = Math.min(count, start.past.length);
          expect(times(n, redo, times(n, undo, start))).toEqual(start);
        },
      ),
    );
  });

  test("drawing keeps a document a document, and n undos and n redos give back its very bytes", () => {
    fc.assert(
      fc.property(drawingSteps, (steps) => {
        const history = drawn(emptyDocument("drawn"), steps);
        const text = writeDocument(history.present);
        expect(readDocument(text)).toEqual({ ok: true, value: history.present, warnings: [] });
        const n = history.past.length;
        const undone = times(n, undo, history);
        expect(writeDocument(undone.present)).toBe(writeDocument(emptyDocument("drawn")));
        expect(writeDocument(times(n, redo, undone).present)).toBe(text);
      }),
    );
  });
});
