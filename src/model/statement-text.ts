/**
 * The workload language (engine.md §2): text into statements, with every mistake in it, and statements
 * into their canonical text, which is the path spelling with each column by its shortest name.
 */
import type { EntityGraph } from "./entity-graph.ts";
import { onlyWarnings, type Result } from "./issue.ts";
import { type ColumnReference, columnText, type QueryGraph } from "./query-graph.ts";
import type { Operand, Predicate, Selection, Statement } from "./statement.ts";
import { resolveChange, resolveConnect, resolveInsert } from "./statement-changes.ts";
import { readStatement, type StatementText } from "./statement-clauses.ts";
import type { PathText } from "./statement-grammar.ts";
import {
  emptyScope,
  knownNames,
  resolveColumn,
  type Scope,
  suggestion,
} from "./statement-names.ts";
import { resolveQuery, type StatementHead, standsForList } from "./statement-query.ts";
import { complain, type Report, tokenise, warn } from "./statement-tokens.ts";

/** What a person enters for one statement. */
export interface StatementSource extends StatementHead {
  /** Estimates that stand in no text, by the column's text as printed or as `columnText` gives it. */
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
  const known = knownNames(graph);
  const cursor = {
    tokens: tokenise(source.text, report),
    at: 0,
    report,
    knows: (name: string) => known.has(name.toLowerCase()),
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
  const spell = columnSpelling(
    statement.graph,
    graph,
    statement.kind === "query" ? 0 : statement.target,
  );
  const used = new Set<string>();
  const estimate = (
    estimates: Readonly<Record<string, number>> | undefined,
    column: ColumnReference,
  ): number | undefined => {
    const key = [spell.column(column), columnText(statement.graph, column)].find(
      (each) => estimates !== undefined && Object.hasOwn(estimates, each),
    );
    if (key === undefined) return undefined;
    used.add(key);
    return estimates?.[key];
  };
  const span = { start: 0, end: text.length };
  const predicates = statement.predicates.map((predicate): Predicate => {
    if (predicate.kind === "range") {
      const selectivity =
        estimate(assumptions.selectivity, predicate.column) ?? predicate.selectivity;
      if (!(selectivity >= 0 && selectivity <= 1))
        complain(
          report,
          span,
          `A selectivity of ${selectivity} is not possible.`,
          "Enter a share between 0 and 1.",
        );
      return { ...predicate, selectivity };
    }
    if (predicate.kind === "equal") return predicate;
    const listLength = estimate(assumptions.listLength, predicate.column) ?? predicate.listLength;
    if (!(listLength >= 1 && Number.isFinite(listLength)))
      complain(
        report,
        span,
        `A list of ${listLength} values is not possible.`,
        "Enter a number of at least 1.",
      );
    // A list that is written out has no more values than are written.
    return {
      ...predicate,
      listLength: standsForList(predicate.operands)
        ? listLength
        : Math.min(listLength, predicate.operands.length),
    };
  });
  const columns = statement.predicates.map(({ column }) => spell.column(column));
  for (const key of [
    ...Object.keys(assumptions.selectivity ?? {}),
    ...Object.keys(assumptions.listLength ?? {}),
  ])
    if (!used.has(key))
      warn(
        report,
        span,
        `The estimate for ${key} belongs to no range or list of this statement.`,
        suggestion(key, columns, "Remove it, or name the column as it is printed."),
      );
  return { ...statement, predicates };
}

// --- printing -------------------------------------------------------------------------------------

/** The canonical text of a statement; parsed again it gives the same statement. */
export function printStatement(statement: Statement, graph: EntityGraph): string {
  switch (statement.kind) {
    case "query": {
      const spell = columnSpelling(statement.graph, graph, 0);
      const orders = statement.orderBy.map(
        ({ by, direction }) => `${selectionText(by, spell)}${direction === "desc" ? " DESC" : ""}`,
      );
      const select = statement.select.map((each) => selectionText(each, spell));
      const clauses = [
        ...whereText(statement.predicates, spell),
        ...(statement.groupBy.length > 0
          ? [`GROUP BY ${statement.groupBy.map(spell.column).join(", ")}`]
          : []),
        ...(orders.length > 0 ? [`ORDER BY ${orders.join(", ")}`] : []),
        ...(statement.limit === undefined ? [] : [`LIMIT ${statement.limit}`]),
      ];
      return [`SELECT ${select.join(", ")}`, `FROM ${spell.from()}`, ...clauses].join(" ");
    }
    case "insert": {
      const assignments = statement.assignments.map(
        ({ attribute, operand }) => `${quoted(attribute)} = ${operandText(operand)}`,
      );
      const connections = statement.connections.map(({ role, operands }) =>
        recordText(role, operands),
      );
      const parts = [
        ...(assignments.length > 0 ? [`SET ${assignments.join(", ")}`] : []),
        ...(connections.length > 0 ? [`CONNECT TO ${connections.join(", ")}`] : []),
      ];
      return `INSERT INTO ${quoted(statement.entity)} ${parts.join(" AND ")}`;
    }
    case "update": {
      const spell = columnSpelling(statement.graph, graph, statement.target);
      const assignments = statement.assignments.map(
        ({ attribute, operand }) => `${quoted(attribute)} = ${operandText(operand)}`,
      );
      const entity = quoted(statement.graph.nodes[statement.target]?.entity ?? "");
      const where = whereText(statement.predicates, spell);
      const from = statement.graph.nodes.length > 1 ? [`FROM ${spell.from()}`] : [];
      return [`UPDATE ${entity}`, ...from, `SET ${assignments.join(", ")}`, ...where].join(" ");
    }
    case "delete": {
      const spell = columnSpelling(statement.graph, graph, statement.target);
      const where = whereText(statement.predicates, spell);
      return [`DELETE FROM ${spell.from()}`, ...where].join(" ");
    }
    case "connect":
    case "disconnect": {
      const words = statement.kind === "connect" ? ["CONNECT", "TO"] : ["DISCONNECT", "FROM"];
      const { role, operands } = statement.connection;
      return `${words[0]} ${recordText(statement.entity, statement.operands)} ${words[1]} ${recordText(role, operands)}`;
    }
  }
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

const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Words that read badly, or not at all, as names. */
const keywords = new Set(
  "ALL AND AS ASC AVG BETWEEN BY CONNECT COUNT CROSS DELETE DESC DISCONNECT DISTINCT EXISTS FALSE FETCH FOR FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT MAX MIN NATURAL NOT NULL OFFSET ON OR ORDER OUTER RIGHT SELECT SET SUM TO TRUE UNION UPDATE USING VALUES WHERE".split(
    " ",
  ),
);

function quoted(name: string): string {
  const plain = plainName.test(name) && !keywords.has(name.toUpperCase());
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** How a graph and its columns are written, seen from one node. */
interface Spelling {
  readonly column: (column: ColumnReference) => string;
  /** The paths of FROM, with the aliases the columns spelt so far need. */
  readonly from: () => string;
}

/**
 * The spelling of a graph as paths from `root`. A column is `Entity.attribute` where its entity stands
 * in the graph once, otherwise it is reached by its role, or by the whole walk; where each of these
 * would mean something else (the foreign key beside it, say), its node gets an alias.
 */
function columnSpelling(queryGraph: QueryGraph, graph: EntityGraph, root: number): Spelling {
  const { scope, walks } = walkedScope(queryGraph, graph, root);
  const aliases = new Map<number, string>();
  const names = knownNames(graph);
  const aliasOf = (node: number): string => {
    let alias = `n${node}`;
    while (names.has(alias)) alias = `n${alias}`;
    aliases.set(node, alias);
    return alias;
  };
  return {
    column: ({ node, attribute }) => {
      const walk = walks.get(node) ?? [];
      const heads = [[queryGraph.nodes[node]?.entity ?? ""], walk.slice(-1), walk];
      const rest = attribute.split(".");
      const head = heads.find((each) => means(scope, [...each, ...rest], { node, attribute }));
      return [...(head ?? [aliasOf(node)]), ...rest].map(quoted).join(".");
    },
    from: () =>
      [...walks]
        .filter(([node, walk]) => aliases.has(node) || isLeaf(walk, walks))
        .map(([node, walk]) => {
          const alias = aliases.get(node);
          return `${walk.map(quoted).join(".")}${alias === undefined ? "" : ` AS ${alias}`}`;
        })
        .join(", "),
  };
}

/** No other walk goes on from this one. */
function isLeaf(walk: readonly string[], walks: ReadonlyMap<number, readonly string[]>): boolean {
  return ![...walks.values()].some(
    (other) => other.length > walk.length && walk.every((part, index) => other[index] === part),
  );
}

/** The scope that FROM with all paths from `root` gives, and the walk to each node, in preorder. */
function walkedScope(
  queryGraph: QueryGraph,
  graph: EntityGraph,
  root: number,
): { scope: Scope; walks: Map<number, readonly string[]> } {
  const scope = emptyScope(graph);
  scope.named = queryGraph.nodes.length;
  const span = { start: 0, end: 0 };
  scope.nodes.push(
    ...queryGraph.nodes.map(({ entity }, node) => ({ entity, head: node === root, span })),
  );
  const walks = new Map<number, readonly string[]>();
  const visit = (node: number, walk: readonly string[]): void => {
    walks.set(node, walk);
    for (const edge of queryGraph.edges) {
      if (edge.parent !== node && edge.child !== node) continue;
      const to = edge.parent === node ? edge.child : edge.parent;
      if (walks.has(to)) continue;
      scope.edges.push({ ...edge, walkedFrom: node });
      const ends = graph.relationships.find(({ id }) => id === edge.relationship)?.ends;
      visit(to, [...walk, ends?.[edge.parent === node ? 1 : 0].role ?? ""]);
    }
  };
  visit(root, [queryGraph.nodes[root]?.entity ?? ""]);
  return { scope, walks };
}

/** Whether a reference, read in a scope, names this column. */
function means(
  scope: Scope,
  parts: readonly string[],
  { node, attribute }: ColumnReference,
): boolean {
  const span = { start: 0, end: 0 };
  const path: PathText = { parts: parts.map((text) => ({ text, span })), span };
  const trial: Scope = { ...scope, nodes: [...scope.nodes], edges: [...scope.edges] };
  const found = resolveColumn(trial, path, { place: "", issues: [] });
  return found?.node === node && found.attribute === attribute;
}
