/**
 * The workload language (engine.md §2): text into statements, with every mistake in it, and statements
 * into their canonical text, which is the path spelling with each column by its shortest name.
 */
import type { EntityGraph } from "./entity-graph.ts";
import { onlyWarnings, type Result, type Span } from "./issue.ts";
import { type ColumnReference, columnText } from "./query-graph.ts";
import type {
  Assignment,
  Delete,
  Insert,
  Operand,
  Predicate,
  Query,
  Selection,
  Statement,
  Update,
} from "./statement.ts";
import { resolveChange, resolveConnect } from "./statement-changes.ts";
import { standsForList } from "./statement-conditions.ts";
import type { Cursor } from "./statement-cursor.ts";
import { resolveInsert } from "./statement-insert.ts";
import { knownNames } from "./statement-names.ts";
import { resolveQuery } from "./statement-query.ts";
import type { StatementHead } from "./statement-scope.ts";
import { isSameColumn, quoted, type Spelling, spellingFrom } from "./statement-spelling.ts";
import { complain, type Report, tokenise, warn } from "./statement-tokens.ts";
import { readStatement, type StatementText } from "./statement-verbs.ts";

/** What a person enters for one statement. */
export interface StatementSource extends StatementHead {
  /** Estimates that stand in no text, by the column they are about, in any spelling of it. */
  readonly assumptions?:
    | {
        readonly selectivity?: Readonly<Record<string, number>> | undefined;
        readonly listLength?: Readonly<Record<string, number>> | undefined;
      }
    | undefined;
}

/** The statement a text means, or all mistakes in it, in the order of the text. */
export function parseStatement(source: StatementSource, graph: EntityGraph): Result<Statement> {
  const report: Report = { place: `statements/${source.id}`, issues: [] };
  let known: ReadonlySet<string> | undefined;
  const cursor: Cursor = {
    tokens: tokenise(source.text, report),
    at: 0,
    report,
    knows: (name) => {
      known ??= knownNames(graph);
      return known.has(name.toLowerCase());
    },
  };
  const head = { id: source.id, label: source.label, group: source.group, text: source.text };
  const text = readStatement(cursor);
  const statement = text && resolve(text, head, graph, report);
  const value = statement && withAssumptions(statement, source, graph, report);
  const issues = report.issues.toSorted((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
  if (value && onlyWarnings(issues)) return { ok: true, value, warnings: issues };
  return { ok: false, issues: issues.filter(({ severity }) => severity === "error") };
}

function resolve(
  text: StatementText,
  head: StatementHead,
  graph: EntityGraph,
  report: Report,
): Statement | undefined {
  switch (text.kind) {
    case "select":
      return resolveQuery(text, head, graph, report);
    case "insert":
      return resolveInsert(text, head, graph, report);
    case "update":
    case "delete":
      return resolveChange(text, head, graph, report);
    case "connect":
    case "disconnect":
      return resolveConnect(text, head, graph, report);
  }
}

/** Puts a person's estimates in the place of the defaults. */
function withAssumptions(
  statement: Statement,
  { assumptions, text }: StatementSource,
  graph: EntityGraph,
  report: Report,
): Statement {
  if (!assumptions || !("predicates" in statement)) return statement;
  const { selectivity, listLength } = assumptions;
  const spell = spellingOf(statement, graph);
  const names = (key: string, column: ColumnReference): boolean =>
    key === columnText(statement.graph, column) || isSameColumn(spell.read(key), column);
  const estimate = (
    estimates: Estimates | undefined,
    column: ColumnReference,
  ): number | undefined => Object.entries(estimates ?? {}).find(([key]) => names(key, column))?.[1];

  const predicates = statement.predicates.map((predicate): Predicate => {
    if (predicate.kind === "equal") return predicate;
    if (predicate.kind === "range")
      return withSelectivity(predicate, estimate(selectivity, predicate.column));
    return withListLength(predicate, estimate(listLength, predicate.column));
  });
  const span = { start: 0, end: text.length };
  for (const key of unusedKeys(selectivity, "range", statement.predicates, names))
    warn(report, span, `The selectivity of ${key} belongs to no range here.`, unusedHint);
  for (const key of unusedKeys(listLength, "in", statement.predicates, names))
    warn(report, span, `The list length of ${key} belongs to no IN here.`, unusedHint);
  for (const predicate of predicates) complainAboutEstimate(predicate, spell, span, report);
  return { ...statement, predicates };
}

type Estimates = Readonly<Record<string, number>>;
type RangePredicate = Extract<Predicate, { kind: "range" }>;
type InPredicate = Extract<Predicate, { kind: "in" }>;

const unusedHint = "Remove it, or name the column as it is printed.";

function withSelectivity(predicate: RangePredicate, selectivity: number | undefined): Predicate {
  return selectivity === undefined ? predicate : { ...predicate, selectivity };
}

/** A list that is written out has no more values than are written. */
function withListLength(predicate: InPredicate, estimate: number | undefined): Predicate {
  if (estimate === undefined) return predicate;
  const { operands } = predicate;
  const listLength = standsForList(operands) ? estimate : Math.min(estimate, operands.length);
  return { ...predicate, listLength };
}

function unusedKeys(
  estimates: Estimates | undefined,
  kind: Predicate["kind"],
  predicates: readonly Predicate[],
  names: (key: string, column: ColumnReference) => boolean,
): string[] {
  const concerned = predicates.filter((predicate) => predicate.kind === kind);
  return Object.keys(estimates ?? {}).filter(
    (key) => !concerned.some(({ column }) => names(key, column)),
  );
}

function complainAboutEstimate(
  predicate: Predicate,
  spell: Spelling,
  span: Span,
  report: Report,
): void {
  const column = spell.column(predicate.column);
  if (predicate.kind === "range" && !(predicate.selectivity >= 0 && predicate.selectivity <= 1))
    complain(
      report,
      span,
      `${column} cannot have a selectivity of ${predicate.selectivity}.`,
      "Enter a share between 0 and 1.",
    );
  if (
    predicate.kind === "in" &&
    !(predicate.listLength >= 1 && predicate.listLength < Number.POSITIVE_INFINITY)
  )
    complain(
      report,
      span,
      `${column} cannot be compared with a list of ${predicate.listLength} values.`,
      "Enter a number of at least 1.",
    );
}

// --- printing -------------------------------------------------------------------------------------

/** The canonical text of a statement; parsed again it gives the same statement. */
export function printStatement(statement: Statement, graph: EntityGraph): string {
  switch (statement.kind) {
    case "query":
      return queryText(statement, spellingOf(statement, graph));
    case "insert":
      return insertText(statement);
    case "update":
    case "delete":
      return changeText(statement, spellingOf(statement, graph));
    case "connect":
    case "disconnect": {
      const [verb, to] = statement.kind === "connect" ? ["CONNECT", "TO"] : ["DISCONNECT", "FROM"];
      const { entity, operands, connection } = statement;
      const linked = recordText(connection.role, connection.operands);
      return `${verb} ${recordText(entity, operands)} ${to} ${linked}`;
    }
  }
}

/** A statement's graph is spelt from what it changes, a query's from the root of its canonical form. */
function spellingOf(statement: Query | Update | Delete, graph: EntityGraph): Spelling {
  return spellingFrom(statement.graph, graph, statement.kind === "query" ? 0 : statement.target);
}

function queryText(query: Query, spell: Spelling): string {
  const select = query.select.map((each) => selectionText(each, spell)).join(", ");
  const groups = query.groupBy.map(spell.column).join(", ");
  const orders = query.orderBy
    .map(({ by, direction }) => `${selectionText(by, spell)}${direction === "desc" ? " DESC" : ""}`)
    .join(", ");
  const clauses = [
    ...whereText(query.predicates, spell),
    ...(groups ? [`GROUP BY ${groups}`] : []),
    ...(orders ? [`ORDER BY ${orders}`] : []),
    ...(query.limit === undefined ? [] : [`LIMIT ${query.limit}`]),
  ];
  // FROM is spelt last: it shows the aliases that the columns needed.
  return [`SELECT ${select}`, `FROM ${spell.from()}`, ...clauses].join(" ");
}

function insertText({ entity, assignments, connections }: Insert): string {
  const links = connections.map(({ role, operands }) => recordText(role, operands));
  const parts = [
    ...(assignments.length > 0 ? [`SET ${assignmentsText(assignments)}`] : []),
    ...(links.length > 0 ? [`CONNECT TO ${links.join(", ")}`] : []),
  ];
  return `INSERT INTO ${quoted(entity)} ${parts.join(" AND ")}`;
}

function changeText(statement: Update | Delete, spell: Spelling): string {
  const where = whereText(statement.predicates, spell);
  if (statement.kind === "delete") return [`DELETE FROM ${spell.from()}`, ...where].join(" ");
  const { nodes } = statement.graph;
  const from = nodes.length > 1 ? [`FROM ${spell.from()}`] : [];
  const set = `SET ${assignmentsText(statement.assignments)}`;
  return [`UPDATE ${quoted(nodes[statement.target]?.entity ?? "")}`, ...from, set, ...where].join(
    " ",
  );
}

function assignmentsText(assignments: readonly Assignment[]): string {
  return assignments
    .map(({ attribute, operand }) => `${quoted(attribute)} = ${operandText(operand)}`)
    .join(", ");
}

function recordText(name: string, operands: readonly Operand[]): string {
  return `${quoted(name)}(${operands.map(operandText).join(", ")})`;
}

function whereText(predicates: readonly Predicate[], spell: Spelling): string[] {
  if (predicates.length === 0) return [];
  return [`WHERE ${predicates.map((predicate) => predicateText(predicate, spell)).join(" AND ")}`];
}

function predicateText(predicate: Predicate, spell: Spelling): string {
  const column = spell.column(predicate.column);
  switch (predicate.kind) {
    case "equal":
      return `${column} = ${operandText(predicate.operand)}`;
    case "in": {
      const list = predicate.operands.map(operandText).join(", ");
      return `${column} IN ${standsForList(predicate.operands) ? list : `(${list})`}`;
    }
    case "range": {
      const [low, high] = predicate.bounds;
      if (low?.operator === ">=" && high?.operator === "<=")
        return `${column} BETWEEN ${operandText(low.operand)} AND ${operandText(high.operand)}`;
      return predicate.bounds
        .map(({ operator, operand }) => `${column} ${operator} ${operandText(operand)}`)
        .join(" AND ");
    }
  }
}

function selectionText(selection: Selection, spell: Spelling): string {
  const column = selection.column === undefined ? "*" : spell.column(selection.column);
  return selection.kind === "column" ? column : `${selection.function}(${column})`;
}

function operandText(operand: Operand): string {
  if (operand.kind === "parameter") return operand.name === undefined ? "?" : `:${operand.name}`;
  return typeof operand.value === "string"
    ? `'${operand.value.replaceAll("'", "''")}'`
    : String(operand.value);
}
