/**
 * The text of a statement after something it names was renamed.
 *
 * There is no second reading of the language here. The parser says what the text meant before; that
 * meaning, put into the new names, printed and parsed, is what it must mean afterwards. The words that
 * bear an old name are replaced, all of them or only some (a role and an attribute may bear the same
 * name), and the first text that means the right thing is taken: the layout, comments and spelling of
 * the person stay. Only where no replacement will do (a short name that has become ambiguous, an alias
 * in the way) is the printed text taken instead.
 */
import { buildEntityGraph } from "#model/entity-drawing.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import { aWarning, type Issue, type Result, type Span } from "#model/issue.ts";
import { type ColumnReference, columnText } from "#model/query-graph.ts";
import type { Connection, Predicate, Statement, StatementId } from "#model/statement.ts";
import { parseStatement, printStatement } from "#model/statement-text.ts";
import { tokenise } from "#model/statement-tokens.ts";
import {
  type AssumptionsRecord,
  entityName,
  type StatementRecord,
  type StudioDocument,
} from "./schema.ts";
import { entityGraphOf, statementOf } from "./to-problem.ts";

/** The documents before and after, and how the names of the one become those of the other. */
export interface Renaming {
  readonly before: StudioDocument;
  readonly after: StudioDocument;
  /** Undefined where the drawing is too unfinished to read statements by it. */
  readonly graphs?: { readonly before: EntityGraph; readonly after: EntityGraph };
  readonly entity: ReadonlyMap<string, string>;
  /** By `entity` and `attribute` before, with a blank line between them. */
  readonly attribute: ReadonlyMap<string, string>;
  /** By relationship id before. */
  readonly relationship: ReadonlyMap<string, Relationship>;
  /** Words, in small letters, that may name what was renamed, and what they become. */
  readonly words: ReadonlyMap<string, string>;
}

interface Rewritten {
  readonly record: StatementRecord;
  readonly warnings: readonly Issue[];
}

/** How the names of one document become those of another that is drawn in the same order. */
export function renamingBetween(before: StudioDocument, after: StudioDocument): Renaming {
  const words = new Map<string, string>();
  const add = (from: string, to: string): void => {
    if (from !== to) words.set(from.toLowerCase(), to);
  };
  const graphs =
    graphsOf(entityGraphOf(before), entityGraphOf(after)) ??
    graphsOf(skeletonGraph(before), skeletonGraph(after));
  if (!graphs)
    return {
      before,
      after,
      entity: new Map(),
      attribute: new Map(),
      relationship: new Map(),
      words,
    };

  const entity = new Map<string, string>();
  const attribute = new Map<string, string>();
  const namesAfter = Object.values(graphs.after.entities);
  for (const [index, each] of Object.values(graphs.before.entities).entries()) {
    const renamed = namesAfter[index] ?? each;
    entity.set(each.name, renamed.name);
    add(each.name, renamed.name);
    for (const [position, { name }] of each.attributes.entries()) {
      const to = renamed.attributes[position]?.name ?? name;
      attribute.set(attributeKey(each.name, name), to);
      add(name, to);
      // Foreign keys in the manner of SQL: `item_id` for `item.id`, also by the parent's name.
      add(name.replaceAll(".", "_"), to.replaceAll(".", "_"));
      add(`${each.name}_${name}`, `${renamed.name}_${to}`);
    }
  }
  const relationship = new Map<string, Relationship>();
  for (const [index, each] of graphs.before.relationships.entries()) {
    const renamed = graphs.after.relationships[index] ?? each;
    relationship.set(each.id, renamed);
    add(each.ends[0].role, renamed.ends[0].role);
    add(each.ends[1].role, renamed.ends[1].role);
  }
  return { before, after, graphs, entity, attribute, relationship, words };
}

function graphsOf(
  before: Result<EntityGraph>,
  after: Result<EntityGraph>,
): { readonly before: EntityGraph; readonly after: EntityGraph } | undefined {
  return before.ok && after.ok ? { before: before.value, after: after.value } : undefined;
}

/** A statement that means the same after the renaming; itself where it need not change. */
export function rewriteStatement(
  id: StatementId,
  record: StatementRecord,
  renaming: Renaming,
): Rewritten {
  const { graphs } = renaming;
  const old = graphs && statementOf(renaming.before, graphs.before, id);
  const sites = sitesOf(record.text, renaming.words);
  if (!graphs || !old?.ok) return leftAlone(id, record, sites.length > 0);
  const target = renamed(old.value, renaming);
  // Most statements name nothing of what was renamed; the others' parses are used again by toProblem.
  if (meaning(target) === meaning(old.value)) {
    const still = statementOf(renaming.after, graphs.after, id);
    if (still.ok && meaning(still.value) === meaning(target)) return { record, warnings: [] };
  }
  const meant = parsed(id, printStatement(target, graphs.after), graphs.after);
  if (!meant.ok) return leftAlone(id, record, true);
  const wanted = meaning(meant.value);
  const means = (text: string): boolean => {
    const result = parsed(id, text, graphs.after);
    return result.ok && meaning(result.value) === wanted;
  };
  const text = replacements(record.text, sites).find(means) ?? meant.value.text;
  const assumptions =
    record.assumptions && rewrittenAssumptions(id, record, text, renaming, meant.value);
  if (text === record.text && assumptions === record.assumptions) return { record, warnings: [] };
  return { record: { ...record, text, ...(assumptions && { assumptions }) }, warnings: [] };
}

function leftAlone(id: StatementId, record: StatementRecord, mayName: boolean): Rewritten {
  const warning = aWarning(
    `statements/${id}`,
    `${record.label ?? id} could not be read and was left as it is; it may still use the old name.`,
    "Correct the statement.",
  );
  return { record, warnings: mayName ? [warning] : [] };
}

// ------------------------------------------------------------------------------------------ graphs

/**
 * The graph of names alone. Numbers and missing identifiers, about which a drawing may still be
 * unfinished, do not matter to what a statement names.
 */
function skeletonGraph(document: StudioDocument): Result<EntityGraph> {
  const nameOf = (id: string): string => entityName(id, document.entities[id] ?? { ...nothing });
  const relationships = Object.values(document.relationships);
  const entities = Object.entries(document.entities).map(([id, entity]) => {
    const attributes = entity.attributes.map(({ name, type }) => ({ name, type }));
    const parents = relationships
      .filter(({ ends, multiplicity, optional }) => {
        return ends[1].entity === id && multiplicity !== "manyToMany" && optional !== true;
      })
      .map(({ ends }) => ends[0].role);
    const known = new Set([...attributes.map(({ name }) => name), ...parents]);
    const identifier = entity.identifier.filter((part) => known.has(part));
    return identifier.length > 0
      ? { name: nameOf(id), count: 1, attributes, identifier }
      : {
          name: nameOf(id),
          count: 1,
          attributes: [...attributes, { name: stopgap, type: "uuid" as const }],
          identifier: [stopgap],
        };
  });
  return buildEntityGraph(
    entities,
    relationships.map(({ multiplicity, ends: [parent, child], optional, bind }) => ({
      multiplicity,
      ends: [
        { entity: nameOf(parent.entity), role: parent.role },
        { entity: nameOf(child.entity), role: child.role },
      ],
      links: multiplicity === "manyToMany" || optional ? 1 : undefined,
      optional,
      bind,
    })),
  );
}

const nothing = { count: 1, attributes: [], identifier: [] };
/** Identifier of an entity that has none yet. */
const stopgap = "no identifier yet";

// ----------------------------------------------------------------------------------------- meaning

function parsed(
  id: StatementId,
  text: string,
  graph: EntityGraph,
  assumptions?: AssumptionsRecord,
): Result<Statement> {
  return parseStatement(
    { id, label: "", group: "", text, ...(assumptions && { assumptions }) },
    graph,
  );
}

/** What a statement means, as a text to compare. */
function meaning({ text: _t, label: _l, group: _g, ...statement }: Statement): string {
  return JSON.stringify(statement);
}

function attributeKey(entity: string, attribute: string): string {
  return `${entity}\n\n${attribute}`;
}

/** A statement in the new names, good enough to be printed. */
function renamed(statement: Statement, renaming: Renaming): Statement {
  const entityOf = (name: string): string => renaming.entity.get(name) ?? name;
  const attributeOf = (entity: string, name: string): string =>
    renaming.attribute.get(attributeKey(entity, name)) ?? name;
  const connection = (entity: string, { role, operands }: Connection): Connection => ({
    role: roleAfter(entity, role, renaming),
    operands,
  });
  switch (statement.kind) {
    case "insert": {
      const { entity } = statement;
      return {
        ...statement,
        entity: entityOf(entity),
        assignments: statement.assignments.map((each) => ({
          ...each,
          attribute: attributeOf(entity, each.attribute),
        })),
        connections: statement.connections.map((each) => connection(entity, each)),
      };
    }
    case "connect":
    case "disconnect":
      return {
        ...statement,
        entity: entityOf(statement.entity),
        connection: connection(statement.entity, statement.connection),
      };
    default:
      return renamedOnGraph(statement, renaming, attributeOf);
  }
}

type OnGraph = Extract<Statement, { readonly graph: unknown }>;

function renamedOnGraph(
  statement: OnGraph,
  renaming: Renaming,
  attributeOf: (entity: string, name: string) => string,
): Statement {
  const { nodes, edges } = statement.graph;
  const at = (node: number): string => nodes[node]?.entity ?? "";
  const column = ({ node, attribute }: ColumnReference): ColumnReference => ({
    node,
    attribute: attributeOf(at(node), attribute),
  });
  const graph = {
    nodes: nodes.map(({ entity, label }) => ({
      entity: renaming.entity.get(entity) ?? entity,
      label,
    })),
    edges: edges.map((edge) => ({
      ...edge,
      relationship: renaming.relationship.get(edge.relationship)?.id ?? edge.relationship,
    })),
  };
  const predicates = statement.predicates.map(
    (predicate): Predicate => ({ ...predicate, column: column(predicate.column) }),
  );
  if (statement.kind === "delete") return { ...statement, graph, predicates };
  if (statement.kind === "update") {
    const assignments = statement.assignments.map((each) => ({
      ...each,
      attribute: attributeOf(at(statement.target), each.attribute),
    }));
    return { ...statement, graph, predicates, assignments };
  }
  const selection = <Each extends { readonly column?: ColumnReference }>(each: Each): Each =>
    each.column ? { ...each, column: column(each.column) } : each;
  return {
    ...statement,
    graph,
    predicates,
    select: statement.select.map(selection),
    groupBy: statement.groupBy.map(column),
    orderBy: statement.orderBy.map((each) => ({ ...each, by: selection(each.by) })),
  };
}

/** The new name of a role that leads away from an entity. */
function roleAfter(entity: string, role: string, renaming: Renaming): string {
  for (const each of renaming.graphs?.before.relationships ?? []) {
    const [parent, child] = each.ends;
    const after = renaming.relationship.get(each.id)?.ends;
    if (parent.entity === entity && child.role === role) return after?.[1].role ?? role;
    if (child.entity === entity && parent.role === role) return after?.[0].role ?? role;
  }
  return role;
}

// ---------------------------------------------------------------------------------------- the text

/** A word of the text that may name what was renamed. */
interface Site {
  readonly span: Span;
  /** Sites of one kind are replaced together: the same word behind the same path. */
  readonly kind: string;
  /** Without quotes. */
  readonly replacement: string;
  readonly quote: string;
}

/** Most kinds of sites of which all combinations are tried; each doubles the number of trials. */
const mostKinds = 7;

function sitesOf(text: string, words: ReadonlyMap<string, string>): Site[] {
  let path = "";
  const tokens = tokenise(text, { place: "", issues: [] });
  return tokens.flatMap((token, index) => {
    if (token.kind !== "word" && token.kind !== "quoted") {
      if (token.text !== ".") path = "";
      return [];
    }
    const { span } = token;
    const goesOn = tokens[index + 1]?.text === ".";
    const kind = `${path}${token.text.toLowerCase()}${goesOn ? "." : ""}`;
    path = goesOn ? kind : "";
    const replacement = replacementOf(token.text, words);
    const quote = token.kind === "quoted" ? text.charAt(span.start) : "";
    return replacement === undefined ? [] : [{ span, kind, replacement, quote }];
  });
}

/** What a word becomes; a quoted one may hold several names with dots in between. */
function replacementOf(word: string, words: ReadonlyMap<string, string>): string | undefined {
  const whole = words.get(word.toLowerCase());
  if (whole !== undefined || !word.includes(".")) return whole;
  const parts = word.split(".").map((part) => words.get(part.toLowerCase()) ?? part);
  const replaced = parts.join(".");
  return replaced === word ? undefined : replaced;
}

/** The text with all sites replaced, then with ever fewer kinds of them; bare before quoted names. */
function replacements(text: string, sites: readonly Site[]): string[] {
  const kinds = [...new Set(sites.map(({ kind }) => kind))];
  const everything = 2 ** kinds.length - 1;
  const choices =
    kinds.length > mostKinds
      ? [everything, 0]
      : Array.from({ length: everything + 1 }, (_, index) => everything - index);
  return choices.flatMap((choice) => {
    const chosen = sites.filter(({ kind }) => (choice >> kinds.indexOf(kind)) & 1);
    const bare = replaced(text, chosen, "");
    const quoted = replaced(text, chosen, '"');
    return bare === quoted ? [bare] : [bare, quoted];
  });
}

function replaced(text: string, sites: readonly Site[], quote: string): string {
  let result = "";
  let at = 0;
  for (const { span, replacement, quote: own } of sites) {
    const around = own === "" ? quote : own;
    result += text.slice(at, span.start);
    result +=
      around === ""
        ? replacement
        : around + replacement.replaceAll(around, around + around) + around;
    at = span.end;
  }
  return result + text.slice(at);
}

// ------------------------------------------------------------------------------------- assumptions

/**
 * Estimates stand under the text of their column. A key that no longer reaches the predicate it
 * reached before is replaced by the column's text in the new names.
 */
function rewrittenAssumptions(
  id: StatementId,
  record: StatementRecord,
  text: string,
  { graphs }: Renaming,
  meant: Statement,
): AssumptionsRecord | undefined {
  const { assumptions } = record;
  if (!graphs || !assumptions || !("predicates" in meant)) return assumptions;
  const rekeyed = (kind: keyof AssumptionsRecord): Readonly<Record<string, number>> | undefined => {
    const estimates = assumptions[kind];
    if (!estimates) return undefined;
    return Object.fromEntries(
      Object.entries(estimates).map(([key, value]) => {
        const index = predicateUnder(id, record.text, graphs.before, kind, key);
        const stays = predicateUnder(id, text, graphs.after, kind, key) === index;
        const column = meant.predicates[index]?.column;
        return [stays || !column ? key : columnText(meant.graph, column), value];
      }),
    );
  };
  const next = { selectivity: rekeyed("selectivity"), listLength: rekeyed("listLength") };
  const same = (["selectivity", "listLength"] as const).every(
    (kind) =>
      Object.keys(next[kind] ?? {}).join("\n") === Object.keys(assumptions[kind] ?? {}).join("\n"),
  );
  if (same) return assumptions;
  return {
    ...(next.selectivity && { selectivity: next.selectivity }),
    ...(next.listLength && { listLength: next.listLength }),
  };
}

/** The first predicate whose estimate a key changes; −1 when none. */
function predicateUnder(
  id: StatementId,
  text: string,
  graph: EntityGraph,
  kind: keyof AssumptionsRecord,
  key: string,
): number {
  // Values that are nobody's default: the predicate that shows one of them is the one meant.
  const probes = kind === "selectivity" ? [0.0625, 0.125] : [1, 2];
  const shown = probes.map((probe) => {
    const result = parsed(id, text, graph, { [kind]: { [key]: probe } });
    return result.ok && "predicates" in result.value ? result.value.predicates : [];
  });
  return (shown[0] ?? []).findIndex(
    (predicate, index) => JSON.stringify(predicate) !== JSON.stringify(shown[1]?.[index]),
  );
}
