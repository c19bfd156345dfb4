/**
 * Every command there is, in random order, as the studio gives it: to the project or under a scenario,
 * with undo, redo and changes of scenario in between. Whatever was done, n undos and n redos give the
 * same bytes back, and what is in memory is what a reload would find.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import { defaultCluster } from "#model/sharding-setup.ts";
import * as commands from "./commands.ts";
import * as costModelCommands from "./cost-model-commands.ts";
import * as curveCommands from "./curve-commands.ts";
import * as graphCommands from "./graph-commands.ts";
import { memoryStorage } from "./indexed-db.ts";
import { readDocument, writeDocument } from "./read.ts";
import * as rename from "./rename.ts";
import * as scenarioCommands from "./scenario-commands.ts";
import type { StudioDocument } from "./schema.ts";
import * as shardingCommands from "./sharding-commands.ts";
import { createDocumentStore, type DocumentStore } from "./store.ts";
import * as tablesCommands from "./tables-commands.ts";

const file = readDocument(readFileSync(new URL("./fixtures/v2.json", import.meta.url), "utf8"));
if (!file.ok) throw new Error("the sample file does not load");
const hotel = file.value;

/** Chooses something by a random number. */
class Chance {
  readonly #numbers: readonly number[];
  #at = 0;
  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }
  number(below: number): number {
    this.#at += 1;
    return (this.#numbers[this.#at % this.#numbers.length] ?? 0) % Math.max(1, below);
  }
  of<Value>(values: readonly Value[]): Value | undefined {
    return values[this.number(values.length)];
  }
  key(table: object | undefined): string {
    return this.of(Object.keys(table ?? {})) ?? "nothing";
  }
  name(): string {
    return `n${this.number(30)}`;
  }
  amount(): number {
    return this.number(1000) / 8;
  }
  curve({ timeline }: StudioDocument): readonly number[] {
    return Array.from({ length: timeline.steps }, () => this.amount());
  }
  attribute({ entities }: StudioDocument): readonly [entity: string, name: string] {
    const entity = this.key(entities);
    return [entity, this.of(entities[entity]?.attributes ?? [])?.name ?? "nothing"];
  }
}

type Act = (document: StudioDocument, chance: Chance) => commands.Edit;

const table = "[hotel.city] [hotel.id] -> hotel.name of hotel";
const c = commands;
const s = scenarioCommands;

const acts: Readonly<Record<string, Act>> = {
  setName: (d, chance) => c.setName(d, chance.name()),
  setQuestion: (d, chance) => c.setQuestion(d, chance.of(["", "Why?"]) ?? ""),
  addEntity: (d, chance) =>
    c.addEntity(d, chance.name(), { count: 5, attributes: [], identifier: [] }, { x: 1, y: 2 }),
  removeEntity: (d, chance) => c.removeEntity(d, chance.key(d.entities)),
  setEntityCount: (d, chance) => c.setEntityCount(d, chance.key(d.entities), chance.amount() + 1),
  setIdentifier: (d, chance) => {
    const [entity, name] = chance.attribute(d);
    return c.setIdentifier(d, entity, [name]);
  },
  setEntityNote: (d, chance) => c.setEntityNote(d, chance.key(d.entities), chance.name()),
  addAttribute: (d, chance) =>
    c.addAttribute(d, chance.key(d.entities), { name: chance.name(), type: "int" }),
  removeAttribute: (d, chance) => c.removeAttribute(d, ...chance.attribute(d)),
  setAttributeType: (d, chance) => c.setAttributeType(d, ...chance.attribute(d), "bigint"),
  setAttributeBytes: (d, chance) => c.setAttributeBytes(d, ...chance.attribute(d), 9),
  setAttributeDistinct: (d, chance) => c.setAttributeDistinct(d, ...chance.attribute(d), 4),
  addRelationship: (d, chance) => {
    const end = (): { entity: string; role: string } => ({
      entity: chance.key(d.entities),
      role: chance.name(),
    });
    return c.addRelationship(d, chance.name(), { multiplicity: "oneToMany", ends: [end(), end()] });
  },
  editRelationship: (d, chance) =>
    c.editRelationship(d, chance.key(d.relationships), { links: chance.amount() + 1 }),
  removeRelationship: (d, chance) => c.removeRelationship(d, chance.key(d.relationships)),
  addStatement: (d, chance) =>
    c.addStatement(d, chance.name(), { text: "SELECT hotel.name FROM hotel" }, chance.curve(d)),
  removeStatement: (d, chance) => c.removeStatement(d, chance.key(d.statements)),
  setStatementText: (d, chance) => c.setStatementText(d, chance.key(d.statements), chance.name()),
  setStatementLabel: (d, chance) => c.setStatementLabel(d, chance.key(d.statements), chance.name()),
  setStatementGroup: (d, chance) => c.setStatementGroup(d, chance.key(d.statements), "day"),
  setStatementAssumptions: (d, chance) =>
    c.setStatementAssumptions(d, chance.key(d.statements), { selectivity: { x: 0.5 } }),
  moveStatement: (d, chance) => c.moveStatement(d, chance.key(d.statements), chance.number(6)),
  setFrequency: (d, chance) =>
    c.setFrequency(d, chance.key(d.statements), chance.number(d.timeline.steps), chance.amount()),
  setFrequencies: (d, chance) => c.setFrequencies(d, chance.key(d.statements), chance.curve(d)),
  setCurves: (d, chance) => c.setCurves(d, { [chance.key(d.statements)]: chance.curve(d) }),
  scaleGroup: (d, chance) => c.scaleGroup(d, chance.of(["", "day"]) ?? "", 1.5),
  setTimeline: (d, chance) =>
    c.setTimeline(
      d,
      { steps: chance.number(7) + 1, stepSeconds: 60 * (chance.number(3) + 1) },
      chance.of(["stretch", "cut", undefined] as const),
    ),
  setStepLabels: (d) =>
    c.setStepLabels(
      d,
      Array.from({ length: d.timeline.steps }, () => "x"),
    ),
  setStorage: (d, chance) => c.setStorage(d, { kind: "bytes", bytes: chance.amount() + 1 }),
  setOption: (d, chance) => c.setOption(d, "cyclic", chance.number(2) === 0),
  setCostModel: (d) => c.setCostModel(d, { ...defaultCostModel, name: "another" }),
  setGap: (d, chance) => c.setGap(d, chance.number(100) / 100),
  setTimeLimit: (d, chance) => c.setTimeLimit(d, chance.amount() + 1),
  setMode: (d, chance) => c.setMode(d, chance.of(["certified", "summary-tree"]) ?? "certified"),
  moveEntity: (d, chance) => c.moveEntity(d, chance.key(d.entities), { x: chance.number(9), y: 1 }),
  setPositions: (d, chance) => c.setPositions(d, { [chance.key(d.entities)]: { x: 3, y: 4 } }),
  keepCostModel: (d) => costModelCommands.keepCostModel(d, { ...defaultCostModel, name: "mine" }),
  chooseCostModel: (d, chance) =>
    costModelCommands.chooseCostModel(
      d,
      chance.of(costModelCommands.costModelsOf(d))?.name ?? "none",
    ),
  removeCostModel: (d) => costModelCommands.removeCostModel(d, "mine"),
  changeCurves: (d, chance) =>
    curveCommands.changeCurves(
      d,
      { statements: [chance.key(d.statements)], range: { first: 0, last: d.timeline.steps - 1 } },
      { kind: "scale", factor: 2 },
    ),
  drawPattern: (d, chance) =>
    curveCommands.drawPattern(
      d,
      { statements: [chance.key(d.statements)], range: { first: 0, last: 0 } },
      { kind: "growth", start: 2, percentPerStep: 5 },
    ),
  duplicateStatement: (d, chance) =>
    curveCommands.duplicateStatement(d, chance.key(d.statements), chance.name()),
  placeStatement: (d, chance) =>
    curveCommands.placeStatement(d, chance.key(d.statements), chance.key(d.statements), "behind"),
  moveStatementPast: (d, chance) =>
    curveCommands.moveStatementPast(
      d,
      chance.key(d.statements),
      chance.key(d.statements),
      "before",
    ),
  takeCurves: (d, chance) =>
    curveCommands.takeCurves(
      d,
      { [chance.key(d.statements)]: [1, 2, 3] },
      chance.of(["curves", "steps"] as const) ?? "curves",
    ),
  moveAttribute: (d, chance) =>
    graphCommands.moveAttribute(d, ...chance.attribute(d), chance.number(4)),
  setIdentifies: (d, chance) => graphCommands.setIdentifies(d, ...chance.attribute(d), true),
  removeParts: (d, chance) =>
    graphCommands.removeParts(d, {
      entities: [chance.key(d.entities)],
      relationships: [chance.key(d.relationships)],
    }),
  renameEntity: (d, chance) => rename.renameEntity(d, chance.key(d.entities), chance.name()),
  renameAttribute: (d, chance) => rename.renameAttribute(d, ...chance.attribute(d), chance.name()),
  renameRole: (d, chance) => rename.renameRole(d, chance.key(d.relationships), 0, chance.name()),
  addRestriction: (d) =>
    tablesCommands.addRestriction(d, { kind: "family", demand: "ban", family: table, steps: [1] }),
  removeRestriction: (d, chance) => tablesCommands.removeRestriction(d, chance.key(d.restrictions)),
  setStartSchema: (d) => tablesCommands.setStartSchema(d, [table]),
  setHandMade: (d) => tablesCommands.setHandMade(d, { name: "mine", schemas: [[table]] }),
  changeSharding: (d, chance) =>
    shardingCommands.changeSharding(d, {
      cluster: { ...defaultCluster, nodes: chance.number(5) + 3 },
    }),
  addScenario: (d, chance) => s.addScenario(d, chance.name(), chance.name()),
  duplicateScenario: (d, chance) =>
    s.duplicateScenario(d, chance.key(d.scenarios), chance.name(), chance.name()),
  renameScenario: (d, chance) => s.renameScenario(d, chance.key(d.scenarios), chance.name()),
  removeScenario: (d, chance) => s.removeScenario(d, chance.key(d.scenarios)),
  setCountOverride: (d, chance) =>
    s.setCountOverride(d, chance.key(d.scenarios), chance.key(d.entities), chance.amount() + 1),
  setCurveOverride: (d, chance) =>
    s.setCurveOverride(d, chance.key(d.scenarios), chance.key(d.statements), chance.curve(d)),
  setWeight: (d, chance) =>
    s.setWeight(d, chance.key(d.scenarios), chance.key(d.statements), chance.amount()),
  setStorageOverride: (d, chance) =>
    s.setStorageOverride(d, chance.key(d.scenarios), { kind: "bytes", bytes: 7 }),
  clearPinsOverride: (d, chance) => s.clearPinsOverride(d, chance.key(d.scenarios)),
};

/** Exports of the command modules that are questions, or are called by commands. */
const noCommands = [
  "costModelsOf",
  "freshId",
  "freshScenarioId",
  "newEntity",
  "freshEntityName",
  "newAttribute",
  "newRelationship",
  "withShardingRenamed",
];

test("every command takes part", () => {
  const modules = [
    commands,
    costModelCommands,
    rename,
    scenarioCommands,
    shardingCommands,
    tablesCommands,
  ];
  const exported = modules
    .flatMap((module) => Object.keys(module))
    .filter((name) => !noCommands.includes(name));
  expect(Object.keys(acts), "a new command is to be added to `acts`").toEqual(
    expect.arrayContaining(exported),
  );
  // What is made of these for the canvas and the curves takes part as far as it is named above.
  const known = [...exported, ...Object.keys(curveCommands), ...Object.keys(graphCommands)];
  expect(known).toEqual(expect.arrayContaining(Object.keys(acts)));
});

interface Step {
  readonly act: string;
  readonly numbers: readonly number[];
}

const names = Object.keys(acts);
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...names, "undo", "redo", "scenario", "scenario", "gesture"),
  numbers: fc.array(fc.nat(10_000), { minLength: 6, maxLength: 6 }),
});

function take(store: DocumentStore, { act, numbers }: Step): void {
  const { edit, undo, redo, showScenario, begin, preview, commit, history } = store.getState();
  const chance = new Chance(numbers);
  const command = acts[act];
  if (act === "undo") undo();
  else if (act === "redo") redo();
  else if (act === "scenario") showScenario(chance.key(history.present.scenarios));
  else if (act === "gesture") {
    begin("Drag");
    preview((shown) => c.moveEntity(shown, chance.key(shown.entities), { x: 1, y: 1 }));
    preview((shown) => c.setFrequency(shown, chance.key(shown.statements), 0, chance.amount()));
    commit();
  } else if (command) edit(act, (document) => command(document, new Chance(numbers)));
}

describe("random edits", () => {
  test("are undone and redone to the byte, and are in the file what they are in memory", () => {
    vi.useFakeTimers();
    let changes = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), (steps) => {
        const store = createDocumentStore({ storage: memoryStorage(), document: hotel });
        for (const each of steps) take(store, each);
        const { history, undo, redo } = store.getState();
        const end = writeDocument(history.present);
        const reread = readDocument(end);
        if (!reread.ok) throw new Error(JSON.stringify(reread.issues));
        expect(reread.value).toEqual(history.present);
        const count = history.past.length;
        changes += count;
        for (let n = 0; n < count; n += 1) undo();
        expect(writeDocument(store.getState().history.present)).toBe(writeDocument(hotel));
        for (let n = 0; n < count; n += 1) redo();
        expect(writeDocument(store.getState().history.present)).toBe(end);
      }),
      { numRuns: 60 },
    );
    // A sequence of nothing but refused commands would prove nothing.
    expect(changes).toBeGreaterThan(200);
    vi.useRealTimers();
  });
});
