/**
 * How a statement's graph and its columns are spelt: as paths of roles from one node, and each column
 * by the shortest name that means it.
 */
import type { EntityGraph } from "./entity-graph.ts";
import type { ColumnReference, QueryGraph } from "./query-graph.ts";
import { knownNames, resolveColumn } from "./statement-names.ts";
import { emptyScope, endOf, type Scope } from "./statement-scope.ts";

const plainName = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Words that read badly, or not at all, as names. */
const keywords = new Set(
  "ALL AND AS ASC AVG BETWEEN BY CONNECT COUNT CROSS DELETE DESC DISCONNECT DISTINCT EXISTS FALSE FETCH FOR FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT MAX MIN NATURAL NOT NULL OFFSET ON OR ORDER OUTER RIGHT SELECT SET SUM TO TRUE UNION UPDATE USING VALUES WHERE".split(
    " ",
  ),
);

/** A name as it has to be written in a statement. */
export function quoted(name: string): string {
  const plain = plainName.test(name) && !keywords.has(name.toUpperCase());
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** How a graph and its columns are written, seen from one node. */
export interface Spelling {
  readonly column: (column: ColumnReference) => string;
  /** The column that a text, spelt in any way, names; quotes are left out. */
  readonly read: (text: string) => ColumnReference | undefined;
  /** The paths of FROM, with the aliases the columns spelt so far need. */
  readonly from: () => string;
}

/**
 * The spelling of a graph as paths from `root`. A column is `Entity.attribute` where its entity stands
 * in the graph once, otherwise it is reached by its role, or by the whole walk; where each of these
 * would mean something else (the foreign key beside it, say), its node gets an alias.
 */
export function spellingFrom(queryGraph: QueryGraph, graph: EntityGraph, root: number): Spelling {
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
      const head = heads.find((each) =>
        isSameColumn(columnIn(scope, [...each, ...rest]), { node, attribute }),
      );
      return [...(head ?? [aliasOf(node)]), ...rest].map(quoted).join(".");
    },
    read: (text) => columnIn(scope, text.replaceAll('"', "").split(".")),
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
  const { nodes, edges } = queryGraph;
  const span = { start: 0, end: 0 };
  scope.nodes.push(...nodes.map(({ entity }, node) => ({ entity, head: node === root, span })));
  scope.named = nodes.length;
  const walks = new Map<number, readonly string[]>();
  const visit = (node: number, walk: readonly string[]): void => {
    walks.set(node, walk);
    for (const edge of edges.filter(({ parent, child }) => parent === node || child === node)) {
      const to = edge.parent === node ? edge.child : edge.parent;
      if (walks.has(to)) continue;
      scope.edges.push({ ...edge, walkedFrom: node });
      visit(to, [...walk, endOf(scope, edge, to).role]);
    }
  };
  visit(root, [nodes[root]?.entity ?? ""]);
  return { scope, walks };
}

/** The column a reference names in a scope; none when it names nothing, or something outside. */
function columnIn(scope: Scope, parts: readonly string[]): ColumnReference | undefined {
  const span = { start: 0, end: 0 };
  const path = { parts: parts.map((text) => ({ text, span })), span };
  const trial: Scope = { ...scope, nodes: [...scope.nodes], edges: [...scope.edges] };
  const found = resolveColumn(trial, path, { place: "", issues: [] });
  return found && found.node < scope.nodes.length ? found : undefined;
}

/** Whether two references name one column. */
export function isSameColumn(a: ColumnReference | undefined, b: ColumnReference): boolean {
  return a?.node === b.node && a.attribute === b.attribute;
}
