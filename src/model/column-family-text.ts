/**
 * Column families as a person writes them: `[user.id] [item.id desc] -> item.name of item(user:user)`.
 *
 * The brackets hold the partition key and the clustering key, each column with `asc` (the default) or
 * `desc`, `↑` or `↓`; the values stand behind an arrow, `->` or `→`; `of` names the entities as a walk of
 * roles and may be left out where the columns leave one way to join them. Key columns of parents may be
 * written as held by the child (`item.user.id`). The canonical key of a column family is such a text.
 *
 * Names are looked up, not tokenised, so a name may hold blanks or dots.
 */
import {
  type ClusteringColumn,
  type ColumnFamily,
  columnFamilySize,
  columnFamilyText,
} from "./column-family.ts";
import { attributeOf, type EntityGraph, rolesOf, walkRole } from "./entity-graph.ts";
import { anError, type Issue, type Result } from "./issue.ts";
import { suggestion } from "./name-matching.ts";
import {
  type ColumnReference,
  canonicalGraph,
  columnText,
  constantColumn,
  type GraphEdge,
  isConstant,
  type QueryGraph,
} from "./query-graph.ts";
import { undeterminedNodes } from "./row-identity.ts";

/** The column family, or what is wrong with the text; `place` goes into the issues. */
export function parseColumnFamily(
  text: string,
  entityGraph: EntityGraph,
  place: string,
  sizeFactor: number,
): Result<ColumnFamily> {
  const reader: Reader = { text, at: 0, place, names: [] };
  try {
    const { graph, end } = graphOf(reader, entityGraph);
    const columns = readColumns({ ...reader, text: text.slice(0, end) }, graph, entityGraph);
    return finished(entityGraph, graph, columns, place, sizeFactor);
  } catch (problem) {
    if (problem instanceof Refused) return { ok: false, issues: [problem.issue] };
    throw problem;
  }
}

/** Ends the reading of one text; never leaves this file. */
class Refused extends Error {
  readonly issue: Issue;
  constructor(issue: Issue) {
    super(issue.message);
    this.issue = issue;
  }
}

interface Reader {
  readonly text: string;
  at: number;
  readonly place: string;
  /** What may be named at present, longest first. */
  readonly names: readonly string[];
}

function refuse({ text, place }: Reader, at: number, message: string, hint: string): never {
  const span = { start: Math.min(at, text.length), end: Math.min(at + 1, text.length) };
  throw new Refused(anError(place, `At character ${at + 1}: ${message}`, hint, span));
}

// --- graph --------------------------------------------------------------------------------------

/** Entities and edges as written, and where the columns end. */
function graphOf(
  reader: Reader,
  entityGraph: EntityGraph,
): { readonly graph: QueryGraph; readonly end: number } {
  const written = [...reader.text.matchAll(/\sof\s+/g)].map((match) => ({
    end: match.index,
    at: match.index + match[0].length,
  }));
  // A name may hold the word: the last place from which the rest is a graph counts.
  for (const { end, at } of written.toReversed()) {
    const graph = readGraph({ ...reader, at }, entityGraph);
    if (graph) return { graph, end };
  }
  const last = written.at(-1);
  if (last && !/[\][>→]/.test(reader.text.slice(last.at)))
    refuse(
      reader,
      last.at,
      `${reader.text.slice(last.at)} is no walk of entities and roles.`,
      `Write an entity with its roles, such as ${exampleGraph(entityGraph)}.`,
    );
  return { graph: inferredGraph(reader, entityGraph), end: reader.text.length };
}

function exampleGraph({ entities, relationships }: EntityGraph): string {
  const [first] = relationships;
  return first
    ? `${first.ends[1].entity}(${first.ends[0].role}:${first.ends[0].entity})`
    : (Object.keys(entities)[0] ?? "entity");
}

/** `entity(role:entity(…),…)` up to the end of the text; undefined where it is none. */
function readGraph(reader: Reader, entityGraph: EntityGraph): QueryGraph | undefined {
  const tree: Tree = { entities: [], edges: [] };
  const isWhole = readNode(reader, entityGraph, tree) !== undefined;
  if (!isWhole || reader.text.slice(reader.at).trim() !== "") return undefined;
  return labelled(entityGraph, tree.entities, tree.edges);
}

interface Tree {
  readonly entities: string[];
  readonly edges: GraphEdge[];
}

/** The position of the node; undefined where none stands here. */
function readNode(reader: Reader, entityGraph: EntityGraph, tree: Tree): number | undefined {
  const entity = readName(reader, Object.keys(entityGraph.entities));
  if (entity === undefined) return undefined;
  const node = tree.entities.push(entity) - 1;
  if (!accept(reader, "(")) return node;
  do if (!readBranch(reader, entityGraph, tree, node)) return undefined;
  while (accept(reader, ","));
  return accept(reader, ")") ? node : undefined;
}

/** `role:entity(…)` from a node. */
function readBranch(
  reader: Reader,
  entityGraph: EntityGraph,
  { entities, edges }: Tree,
  node: number,
): boolean {
  const entity = entities[node] as string;
  const role = readName(reader, rolesOf(entityGraph, entity));
  const walk = role === undefined ? undefined : walkRole(entityGraph, entity, role);
  if (!walk || !accept(reader, ":")) return false;
  const { id, ends } = walk.relationship;
  const at = edges.push({ relationship: id, parent: -1, child: -1 }) - 1;
  const other = readNode(reader, entityGraph, { entities, edges });
  if (other === undefined || entities[other] !== ends[walk.toEnd].entity) return false;
  const [parent, child] = walk.toEnd === 0 ? [other, node] : [node, other];
  edges[at] = { relationship: id, parent, child };
  return true;
}

/** The graph in the order written, with labels by entity or by walk from its first entity. */
function labelled(
  entityGraph: EntityGraph,
  entities: readonly string[],
  edges: readonly GraphEdge[],
): QueryGraph {
  const walks = entities.map((entity, node) => (node === 0 ? entity : ""));
  for (let node = 0; node < entities.length; node += 1)
    for (const { relationship, parent, child } of edges) {
      const ends = entityGraph.relationships.find(({ id }) => id === relationship)?.ends;
      if (parent === node && walks[child] === "") walks[child] = `${walks[node]}.${ends?.[1].role}`;
      if (child === node && walks[parent] === "")
        walks[parent] = `${walks[node]}.${ends?.[0].role}`;
    }
  return {
    nodes: entities.map((entity, node) => ({
      entity,
      label: entities.filter((each) => each === entity).length === 1 ? entity : (walks[node] ?? ""),
    })),
    edges,
  };
}

/** The entities whose columns are named, where they can be joined in one way only. */
function inferredGraph(reader: Reader, entityGraph: EntityGraph): QueryGraph {
  const named = new Set<string>();
  const columns = Object.values(entityGraph.entities).flatMap(({ name, attributes }) =>
    attributes.map((attribute) => ({ entity: name, text: `${name}.${attribute.name}` })),
  );
  const longest = columns.sort((a, b) => b.text.length - a.text.length);
  for (let at = 0; at < reader.text.length; at += 1) {
    if (!/[\s[,>→]/.test(reader.text[at - 1] ?? " ")) continue;
    const found = longest.find(({ text }) => isNameAt(reader.text, at, text));
    if (!found) continue;
    named.add(found.entity);
    at += found.text.length - 1;
  }
  const entities = [...named];
  const edges = entityGraph.relationships.flatMap(({ id, ends }): GraphEdge[] => {
    const [parent, child] = [entities.indexOf(ends[0].entity), entities.indexOf(ends[1].entity)];
    const isJoin = parent >= 0 && child >= 0 && parent !== child;
    return isJoin ? [{ relationship: id, parent, child }] : [];
  });
  if (entities.length === 0)
    refuse(
      reader,
      0,
      "no column of an entity is named.",
      "Write columns as entity.attribute, such as [user.id] [] -> user.name.",
    );
  if (entities.length === 1) return labelled(entityGraph, entities, []);
  if (!isTree(entities.length, edges))
    refuse(
      reader,
      reader.text.length,
      `it is not told how ${entities.join(" and ")} are joined.`,
      `Add the walk of roles that joins them, such as of ${exampleGraph(entityGraph)}.`,
    );
  return labelled(entityGraph, entities, edges);
}

function isTree(nodes: number, edges: readonly GraphEdge[]): boolean {
  if (edges.length !== nodes - 1) return false;
  const reached = new Set([0]);
  // A set visits what is added to it while it is walked.
  for (const node of reached)
    for (const { parent, child } of edges) {
      if (parent === node) reached.add(child);
      if (child === node) reached.add(parent);
    }
  return reached.size === nodes;
}

// --- columns ------------------------------------------------------------------------------------

interface Columns {
  readonly partitionKey: readonly ColumnReference[];
  readonly clusteringKey: readonly ClusteringColumn[];
  readonly values: readonly ColumnReference[];
}

function readColumns(reader: Reader, graph: QueryGraph, entityGraph: EntityGraph): Columns {
  const known = knownColumns(graph, entityGraph);
  const partitionKey = bracketed(reader, known, "the partition key").map(({ column }) => column);
  const clusteringKey = bracketed(reader, known, "the clustering key").map(
    ({ column, direction }) => ({ ...column, direction }),
  );
  const values: ColumnReference[] = [];
  if (accept(reader, "->") || accept(reader, "→"))
    do values.push(readColumn(reader, known).column);
    while (accept(reader, ","));
  skipBlanks(reader);
  if (reader.at < reader.text.length)
    refuse(
      reader,
      reader.at,
      `${shown(reader)} belongs nowhere.`,
      "Write [partition key] [clustering key] -> values, with commas between columns.",
    );
  return { partitionKey, clusteringKey, values };
}

function knownColumns(
  graph: QueryGraph,
  entityGraph: EntityGraph,
): ReadonlyMap<string, ColumnReference> {
  const all = graph.nodes.flatMap(({ entity }, node) =>
    (entityGraph.entities[entity]?.attributes ?? []).map(
      ({ name }): ColumnReference => ({ node, attribute: name }),
    ),
  );
  return new Map([...all, constantColumn].map((column) => [columnText(graph, column), column]));
}

interface ReadColumn {
  readonly column: ColumnReference;
  readonly direction: "asc" | "desc";
}

function bracketed(
  reader: Reader,
  known: ReadonlyMap<string, ColumnReference>,
  what: string,
): ReadColumn[] {
  if (!accept(reader, "["))
    refuse(
      reader,
      reader.at,
      `${what} is missing.`,
      "Write it in square brackets; an empty clustering key is [].",
    );
  const columns: ReadColumn[] = [];
  if (accept(reader, "]")) return columns;
  do columns.push(readColumn(reader, known));
  while (accept(reader, ","));
  if (!accept(reader, "]"))
    refuse(
      reader,
      reader.at,
      `${what} does not end here.`,
      "Close it with ], or put a comma before the next column.",
    );
  return columns;
}

function readColumn(reader: Reader, known: ReadonlyMap<string, ColumnReference>): ReadColumn {
  skipBlanks(reader);
  const { at } = reader;
  const name = readName(reader, [...known.keys()]);
  const column = known.get(name ?? "");
  if (!column) {
    const word = shown(reader);
    const all = [...known.keys()].filter((each) => each !== "*");
    refuse(
      reader,
      at,
      `there is no column ${word}.`,
      suggestion(word, all, `The columns are ${all.join(", ")}.`),
    );
  }
  const direction = /^\s*(↑|↓|asc\b|desc\b)/i.exec(reader.text.slice(reader.at));
  reader.at += direction?.[0].length ?? 0;
  const descends = direction?.[1] === "↓" || direction?.[1]?.toLowerCase() === "desc";
  return { column, direction: descends ? "desc" : "asc" };
}

// --- the whole ----------------------------------------------------------------------------------

function finished(
  entityGraph: EntityGraph,
  written: QueryGraph,
  columns: Columns,
  place: string,
  sizeFactor: number,
): Result<ColumnFamily> {
  const issues = mistakes(entityGraph, written, columns).map(([message, hint]) =>
    anError(place, message, hint),
  );
  if (issues.length > 0) return { ok: false, issues };
  const entities = written.nodes.map(({ entity }) => entity);
  const { graph, text, renumbering } = canonicalGraph(entityGraph, entities, written.edges);
  const moved = <Column extends ColumnReference>(list: readonly Column[]): Column[] =>
    list.map((column) =>
      isConstant(column) ? column : { ...column, node: renumbering[column.node] as number },
    );
  const shape = {
    graph,
    partitionKey: moved(columns.partitionKey),
    clusteringKey: moved(columns.clusteringKey),
    values: moved(columns.values),
  };
  const size = columnFamilySize(entityGraph, shape, sizeFactor);
  const key = `${columnFamilyText(shape)} of ${text}`;
  return { ok: true, value: { key, ...shape, size }, warnings: [] };
}

/** What no table may look like, as pairs of a sentence and the way to mend it. */
function mistakes(
  entityGraph: EntityGraph,
  graph: QueryGraph,
  { partitionKey, clusteringKey, values }: Columns,
): [string, string][] {
  const key = [...partitionKey, ...clusteringKey];
  const texts = [...key, ...values].map((column) => columnText(graph, column));
  const twice = texts.find((text, index) => texts.indexOf(text) !== index);
  const open = undeterminedNodes(entityGraph, graph, key);
  const isCounter = ({ node, attribute }: ColumnReference): boolean => {
    const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
    return entity !== undefined && attributeOf(entity, attribute)?.type === "counter";
  };
  const counters = values.filter(isCounter);
  const found: [boolean, string, string][] = [
    [
      partitionKey.length === 0,
      "The partition key is empty.",
      "Name at least one column in the first brackets; * stands for one partition with everything.",
    ],
    [twice !== undefined, `The column ${twice} stands there twice.`, "Keep it in one place."],
    [
      [...clusteringKey, ...values].some(isConstant),
      "The column * stands outside the partition key.",
      "Leave it out there.",
    ],
    [
      open.length > 0,
      `The key does not tell the rows apart: several rows of ${open.map((node) => graph.nodes[node]?.label).join(" and ")} would overwrite each other.`,
      `Add to the clustering key what identifies them: ${open.map((node) => identifierText(entityGraph, graph, node)).join(", ")}.`,
    ],
    [key.some(isCounter), "A counter stands in the key.", "Move it to the values."],
    [
      counters.length > 0 && counters.length < values.length,
      "A counter stands beside other values, which Cassandra does not allow.",
      "Give the counters a table of their own.",
    ],
  ];
  return found.flatMap(([isSo, message, hint]): [string, string][] =>
    isSo ? [[message, hint]] : [],
  );
}

function identifierText(entityGraph: EntityGraph, graph: QueryGraph, node: number): string {
  const entity = entityGraph.entities[graph.nodes[node]?.entity ?? ""];
  return (entity?.identifier ?? [])
    .map((attribute) => columnText(graph, { node, attribute }))
    .join(", ");
}

// --- reading ------------------------------------------------------------------------------------

function skipBlanks(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}

function accept(reader: Reader, sign: string): boolean {
  skipBlanks(reader);
  if (!reader.text.startsWith(sign, reader.at)) return false;
  reader.at += sign.length;
  return true;
}

/** The longest of the names that stands here. */
function readName(reader: Reader, names: readonly string[]): string | undefined {
  skipBlanks(reader);
  const found = names
    .filter((name) => isNameAt(reader.text, reader.at, name))
    .sort((a, b) => b.length - a.length)[0];
  reader.at += found?.length ?? 0;
  return found;
}

/** A name ends where no letter, digit, underscore or dot goes on. */
function isNameAt(text: string, at: number, name: string): boolean {
  return text.startsWith(name, at) && !/[\p{L}\p{N}_.]/u.test(text[at + name.length] ?? "");
}

/** What stands where something else was expected. */
function shown({ text, at }: Reader): string {
  return /^[^\s,\]↑↓]+|^./u.exec(text.slice(at))?.[0] ?? "the end";
}
