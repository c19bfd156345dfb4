/**
 * From what a person drew to the engine's input.
 *
 * Promises of a problem: every reference resolves, counts are positive, every statement has one
 * frequency ≥ 0 per step. Otherwise all issues at once, each with the place of its record in the
 * *document* (`entities/ID`, `entities/ID/attributes/NAME`, `relationships/ID`, `statements/ID`,
 * `frequencies/ID`, `timeline`, `settings/…`), so that the studio can mark it. The graph knows names,
 * the document ids; this is where one becomes the other.
 *
 * Results are remembered by the identity of the records they were made from. Moving a box parses no
 * statement, and drawing a curve parses none either.
 */
import {
  buildEntityGraph,
  type EntityDrawing,
  type RelationshipDrawing,
} from "#model/entity-drawing.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import { anError, aWarning, type Issue, onlyWarnings, type Result } from "#model/issue.ts";
import type { Problem } from "#model/problem.ts";
import { isQuery, type Statement, type StatementId } from "#model/statement.ts";
import { parseStatement } from "#model/statement-text.ts";
import {
  costModelIssues,
  curveIssues,
  optionIssues,
  relationshipIssues,
  storageIssues,
  timelineIssues,
} from "./input-issues.ts";
import { type NamedTables, namedTables } from "./named-tables.ts";
import { type EntityId, entityName, type StatementRecord, type StudioDocument } from "./schema.ts";

/** The problem a document poses, with warnings, or everything that stands in its way. */
export function toProblem(document: StudioDocument): Result<Problem> {
  return remembered(problems, document, () => problemOf(document));
}

/** The entity graph alone, for the parts of the studio that need names and not yet a whole problem. */
export function entityGraphOf(document: StudioDocument): Result<EntityGraph> {
  const byRelationships = remembered(graphs, document.entities, () => new WeakMap());
  return remembered(byRelationships, document.relationships, () => graphOf(document));
}

/** One statement of a document, parsed. */
export function statementOf(
  document: StudioDocument,
  graph: EntityGraph,
  id: StatementId,
): Result<Statement> {
  const record = document.statements[id];
  if (!record)
    return { ok: false, issues: [anError(`statements/${id}`, `There is no statement ${id}.`)] };
  const byRecord = remembered(parsed, graph, () => new WeakMap());
  const known = remembered(byRecord, record, () => ({ id, result: parse(id, record, graph) }));
  // Two statements may share a record: a copy that has not been edited.
  return known.id === id ? known.result : parse(id, record, graph);
}

/**
 * Canonical text of everything that affects the answer: two documents with the same key have the same
 * results. Layout, notes, the names of project, statements, groups, steps and cost model are left
 * out, and so is how a statement is spelt. The gap, the time limit and the mode are left out too: a
 * result carries the gap that it was proven to and how it was found, so it is not stale when another is
 * asked for.
 */
export function problemKey(document: StudioDocument): string {
  return remembered(keys, document, () => ({ key: keyOf(document) })).key;
}

const problems = new WeakMap<object, Result<Problem>>();
const graphs = new WeakMap<object, WeakMap<object, Result<EntityGraph>>>();
const parsed = new WeakMap<object, WeakMap<object, { id: string; result: Result<Statement> }>>();
const keys = new WeakMap<object, { readonly key: string }>();

/** The value made for an object before, or a new one. */
function remembered<Value>(
  memory: WeakMap<object, Value>,
  object: object,
  make: () => Value,
): Value {
  const known = memory.get(object);
  if (known !== undefined) return known;
  const made = make();
  memory.set(object, made);
  return made;
}

function problemOf(document: StudioDocument): Result<Problem> {
  const { timeline, settings } = document;
  // The engine needs the coefficients, not the measurements that they come from.
  const { fit: _, ...costModel } = settings.costModel;
  const graph = entityGraphOf(document);
  const statements = statementsOf(document, graph);
  const tables = tablesOf(document, graph, statements);
  const issues = [
    ...(graph.ok ? graph.warnings : graph.issues),
    ...statements.flatMap((each) => (each.ok ? each.warnings : each.issues)),
    ...Object.keys(document.statements).flatMap((id) => frequencyIssues(document, id)),
    ...timelineIssues(timeline.steps, timeline.stepSeconds),
    ...workloadIssues(document, statements),
    ...storageIssues(settings.storage),
    ...optionIssues(settings.options),
    ...costModelIssues(settings.costModel),
    ...tables.issues,
  ];
  if (!graph.ok || !onlyWarnings(issues)) return { ok: false, issues };
  return {
    ok: true,
    value: {
      name: document.name,
      entityGraph: graph.value,
      statements: statements.flatMap((each) => (each.ok ? [each.value] : [])),
      workload: {
        timeline: { steps: timeline.steps, stepSeconds: timeline.stepSeconds },
        curves: Object.fromEntries(
          Object.keys(document.statements).map((id) => [id, document.frequencies[id] ?? []]),
        ),
      },
      storage: settings.storage,
      costModel: pricedModel(document, costModel),
      options: settings.options,
      ...partitionRules(document),
      ...tables.fields,
    },
    warnings: issues,
  };
}

/** The cost model with the price of further partitions, where there is one. */
function pricedModel(
  { sharding }: StudioDocument,
  model: Problem["costModel"],
): Problem["costModel"] {
  const perFurtherPartition = sharding?.limits?.perFurtherPartition;
  return perFurtherPartition ? { ...model, get: { ...model.get, perFurtherPartition } } : model;
}

/** Limits on partitions, with the spreads of values that the lab is told of; nothing without a limit. */
function partitionRules(document: StudioDocument): Pick<Problem, "partitionRules"> {
  const { perFurtherPartition: _, ...limits } = document.sharding?.limits ?? {};
  if (Object.keys(limits).length === 0) return {};
  const columns = document.sharding?.columns ?? {};
  const spreads = Object.fromEntries(
    Object.entries(columns).map(([id, own]) => [nameOf(document, id), own]),
  );
  return { partitionRules: { ...limits, spreads } };
}

/** What is wrong with pins, bans, start schema and schema by hand. */
export function tableIssues(document: StudioDocument): readonly Issue[] {
  const graph = entityGraphOf(document);
  return tablesOf(document, graph, statementsOf(document, graph)).issues;
}

function tablesOf(
  document: StudioDocument,
  graph: Result<EntityGraph>,
  statements: readonly Result<Statement>[],
): NamedTables {
  if (!graph.ok) return { fields: {}, issues: [] };
  const parsedOnes = statements.flatMap((each) => (each.ok ? [each.value] : []));
  return namedTables(document, graph.value, parsedOnes);
}

/** Every statement, parsed; none where there is no graph to parse it against. */
function statementsOf(
  document: StudioDocument,
  graph: Result<EntityGraph>,
): readonly Result<Statement>[] {
  return graph.ok
    ? Object.keys(document.statements).map((id) => statementOf(document, graph.value, id))
    : [];
}

function parse(id: StatementId, record: StatementRecord, graph: EntityGraph): Result<Statement> {
  return parseStatement(
    {
      id,
      label: record.label ?? id,
      group: record.group ?? "",
      text: record.text,
      ...(record.assumptions && { assumptions: record.assumptions }),
    },
    graph,
  );
}

function frequencyIssues(document: StudioDocument, id: StatementId): Issue[] {
  const curve = document.frequencies[id];
  return curve
    ? curveIssues(document, id, curve)
    : [anError(`frequencies/${id}`, `${id} has no frequencies.`, "Enter one number per step.")];
}

/** What would make a run pointless. */
function workloadIssues(
  document: StudioDocument,
  statements: readonly Result<Statement>[],
): Issue[] {
  const ids = Object.keys(document.statements);
  if (ids.length === 0)
    return [
      anError(
        "statements",
        "There are no statements yet.",
        "Add a query that the tables shall answer.",
      ),
    ];
  const values = statements.flatMap((each) => (each.ok ? [each.value] : []));
  const complete = values.length === ids.length;
  if (complete && !values.some(isQuery))
    return [
      anError(
        "statements",
        "There is no query among the statements, so no table is needed.",
        "Add a query that the tables shall answer.",
      ),
    ];
  const idle = ids.every((id) => (document.frequencies[id] ?? []).every((value) => value === 0));
  return idle
    ? [
        aWarning(
          "frequencies",
          "No statement ever runs: all frequencies are 0.",
          "Enter how often each statement runs, or any choice of tables is as good as another.",
        ),
      ]
    : [];
}

// ------------------------------------------------------------------------------------------- graph

function graphOf(document: StudioDocument): Result<EntityGraph> {
  const dangling = Object.entries(document.relationships).flatMap(([id, relationship]) =>
    relationshipIssues(document, id, relationship),
  );
  if (dangling.length > 0) return { ok: false, issues: dangling };
  const built = buildEntityGraph(entityDrawings(document), relationshipDrawings(document));
  if (!built.ok) return { ok: false, issues: built.issues.map((issue) => placed(document, issue)) };
  return { ...built, warnings: built.warnings.map((issue) => placed(document, issue)) };
}

function entityDrawings(document: StudioDocument): EntityDrawing[] {
  return Object.entries(document.entities).map(([id, entity]) => ({
    name: entityName(id, entity),
    count: entity.count,
    attributes: entity.attributes,
    identifier: entity.identifier,
  }));
}

function relationshipDrawings(document: StudioDocument): RelationshipDrawing[] {
  return Object.values(document.relationships).map((relationship) => {
    const [parent, child] = relationship.ends;
    return {
      ...relationship,
      ends: [
        { entity: nameOf(document, parent.entity), role: parent.role },
        { entity: nameOf(document, child.entity), role: child.role },
      ],
    };
  });
}

function nameOf(document: StudioDocument, id: EntityId): string {
  const entity = document.entities[id];
  return entity ? entityName(id, entity) : id;
}

/** An issue about names and positions of the graph, as one about ids of the document. */
function placed(document: StudioDocument, issue: Issue): Issue {
  const [table, key, ...rest] = issue.place.split("/");
  if (table === "relationships") {
    const id = Object.keys(document.relationships)[Number(key)] ?? key;
    return { ...issue, place: [table, id, ...rest].join("/") };
  }
  // A name may itself hold a slash (that is then the issue), so whole names are compared.
  const named = Object.entries(document.entities)
    .map(([id, entity]) => ({ id, prefix: `entities/${entityName(id, entity)}` }))
    .filter(({ prefix }) => issue.place === prefix || issue.place.startsWith(`${prefix}/`))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (!named) return issue;
  return { ...issue, place: `entities/${named.id}${issue.place.slice(named.prefix.length)}` };
}

// --------------------------------------------------------------------------------------------- key

function keyOf(document: StudioDocument): string {
  const problem = toProblem(document);
  if (!problem.ok) return `unfinished ${JSON.stringify(unfinished(document))}`;
  const { entityGraph, statements, workload, storage, costModel, options } = problem.value;
  const { restrictions, startSchema, handMade, partitionRules: rules } = problem.value;
  const { name: _, ...coefficients } = costModel;
  return JSON.stringify({
    entityGraph,
    statements: statements.map(
      ({ label: _label, group: _group, text: _text, ...meaning }) => meaning,
    ),
    workload,
    storage,
    costModel: coefficients,
    options,
    restrictions,
    startSchema,
    handMade: handMade?.schemas,
    partitionRules: rules,
  });
}

/** What a document will be judged by once it is finished. */
function unfinished(document: StudioDocument): object {
  const { entities, relationships, statements, timeline, frequencies } = document;
  const { restrictions, startSchema, handMade, sharding } = document;
  const { costModels: _, ...settings } = document.settings;
  const named = { restrictions, startSchema, handMade, limits: sharding?.limits };
  return { entities, relationships, statements, timeline, frequencies, settings, ...named };
}
