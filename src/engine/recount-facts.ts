/**
 * What the recount knows of a graph, written from the definitions and sharing no code with
 * enumeration or estimation. A **fact** is a column, `node.attribute`; columns that the joins of the
 * graph make equal are one fact.
 */

import type { ColumnFamily } from "#model/column-family.ts";
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { GetStep } from "#model/plan.ts";
import type { ColumnReference, GraphEdge, QueryGraph } from "#model/query-graph.ts";
import type { Predicate, Query } from "#model/statement.ts";

export class Facts {
  readonly graph: QueryGraph;
  private readonly entityGraph: EntityGraph;
  private readonly root = new Map<string, string>();

  constructor(entityGraph: EntityGraph, graph: QueryGraph) {
    this.entityGraph = entityGraph;
    this.graph = graph;
    for (const edge of graph.edges)
      for (const pair of this.relationship(edge).foreignKey)
        this.unite(`${edge.child}.${pair.child}`, `${edge.parent}.${pair.parent}`);
  }

  relationship({ relationship }: GraphEdge): Relationship {
    const found = this.entityGraph.relationships.find(({ id }) => id === relationship);
    if (!found) throw new Error(`no relationship ${relationship}`);
    return found;
  }

  /** The fact that stands for all columns equal to this one; undefined outside the graph. */
  fact({ node, attribute }: ColumnReference): string | undefined {
    if (node < 0) return attribute === "*" ? "*" : undefined;
    return this.find(`${node}.${attribute}`);
  }

  private find(name: string): string {
    let at = name;
    for (let next = this.root.get(at); next !== undefined; next = this.root.get(at)) at = next;
    return at;
  }

  private unite(a: string, b: string): void {
    const [first, second] = [this.find(a), this.find(b)];
    if (first !== second) this.root.set(first, second);
  }

  /** All columns of a fact. */
  columns(fact: string): { node: number; attribute: string; distinct: number; bytes: number }[] {
    return this.graph.nodes.flatMap(({ entity }, node) =>
      (this.entityGraph.entities[entity]?.attributes ?? [])
        .filter(({ name }) => this.find(`${node}.${name}`) === fact)
        .map(({ name, distinct, bytes }) => ({ node, attribute: name, distinct, bytes })),
    );
  }

  distinct(fact: string): number {
    return Math.min(...this.columns(fact).map((each) => each.distinct));
  }

  identity(node: number): string[] {
    const entity = this.entityGraph.entities[this.graph.nodes[node]?.entity ?? ""];
    return (entity?.identifier ?? []).map((attribute) => this.find(`${node}.${attribute}`));
  }

  count(node: number): number {
    return this.entityGraph.entities[this.graph.nodes[node]?.entity ?? ""]?.count ?? 0;
  }

  allNodes(): Set<number> {
    return new Set(this.graph.nodes.keys());
  }

  /** Nodes that known facts pin down to one record each: by identity, and from child to parent. */
  pinned(known: ReadonlySet<string>): Set<number> {
    const identified = [...this.allNodes()].filter((node) =>
      this.identity(node).every((fact) => known.has(fact)),
    );
    return this.spread(new Set(identified), ({ multiplicity }, towardsParent) =>
      towardsParent ? multiplicity !== "manyToMany" : multiplicity === "oneToOne",
    );
  }

  /** True when equal `from` facts imply equal `to` facts. */
  determine(from: ReadonlySet<string>, to: ReadonlySet<string>): boolean {
    const pinned = this.pinned(from);
    return [...to].every(
      (fact) => from.has(fact) || this.columns(fact).some(({ node }) => pinned.has(node)),
    );
  }

  /** Adds parents that every child has; with `known`, only those whose identity is known. */
  withParents(nodes: ReadonlySet<number>, known?: ReadonlySet<string>): Set<number> {
    return this.spread(
      nodes,
      ({ multiplicity, optional }, towardsParent, to) =>
        towardsParent &&
        multiplicity !== "manyToMany" &&
        !optional &&
        (known === undefined || this.identity(to).every((fact) => known.has(fact))),
    );
  }

  /** Adds all that can be joined without losing a record: parents that every child has, children that every parent has. */
  withLosslessNeighbours(nodes: ReadonlySet<number>): Set<number> {
    return this.spread(
      nodes,
      ({ multiplicity, optional, atLeastOne }, towardsParent) =>
        multiplicity !== "manyToMany" && (towardsParent ? !optional : atLeastOne),
    );
  }

  /** Follows edges from the nodes as far as `may` allows. */
  private spread(
    nodes: ReadonlySet<number>,
    may: (relationship: Relationship, towardsParent: boolean, to: number) => boolean,
  ): Set<number> {
    const all = new Set(nodes);
    // A set visits what is added to it while it is walked.
    for (const node of all) {
      for (const edge of this.graph.edges) {
        const towardsParent = edge.child === node;
        if (!towardsParent && edge.parent !== node) continue;
        const to = towardsParent ? edge.parent : edge.child;
        if (may(this.relationship(edge), towardsParent, to)) all.add(to);
      }
    }
    return all;
  }

  /** Expected rows of the join over some nodes. */
  joinRows(nodes: ReadonlySet<number>): number {
    let rows = [...nodes].reduce((product, node) => product * this.count(node), 1);
    for (const edge of this.graph.edges)
      if (nodes.has(edge.parent) && nodes.has(edge.child))
        rows *= this.relationship(edge).links / (this.count(edge.parent) * this.count(edge.child));
    return rows;
  }

  /** Combinations that some facts can take among the records of `within`. */
  combinations(facts: ReadonlySet<string>, within: ReadonlySet<number>): number {
    const pinned = new Set([...this.pinned(facts)].filter((node) => within.has(node)));
    let result = this.joinRows(pinned);
    for (const fact of facts)
      if (fact !== "*" && !this.columns(fact).some(({ node }) => pinned.has(node)))
        result *= this.distinct(fact);
    return result;
  }
}

/**
 * The fact in `target` of a column of another graph that lies on it by `placement` (node → node, −1
 * outside), reached through whichever equal column lies inside; undefined where none does.
 */
export function factAcross(
  own: Facts,
  column: ColumnReference,
  placement: readonly number[],
  target: Facts,
): string | undefined {
  if (column.node < 0) return "*";
  for (const { node, attribute } of own.columns(own.fact(column) ?? "")) {
    const to = placement[node] ?? -1;
    if (to >= 0) return target.fact({ node: to, attribute });
  }
  return undefined;
}

/** Facts of one query's graph, and what its conditions let pass. */
export class QueryFacts extends Facts {
  readonly query: Query;
  private readonly families = new Map<string, Facts>();
  private readonly ofGraph: (graph: QueryGraph) => Facts;

  constructor(entityGraph: EntityGraph, query: Query) {
    super(entityGraph, query.graph);
    this.query = query;
    this.ofGraph = (graph) => new Facts(entityGraph, graph);
  }

  /** The query's fact of a table's column. */
  across(step: GetStep, family: ColumnFamily, column: ColumnReference): string | undefined {
    let own = this.families.get(family.key);
    if (!own) {
      own = this.ofGraph(family.graph);
      this.families.set(family.key, own);
    }
    return factAcross(own, column, step.embedding, this);
  }

  selectivity(predicate: Predicate): number {
    if (predicate.kind === "range") return predicate.selectivity;
    const distinct = this.distinct(this.fact(predicate.column) ?? "");
    return this.listLength(predicate) / distinct;
  }

  listLength(predicate: Predicate): number {
    if (predicate.kind !== "in") return 1;
    return Math.min(predicate.listLength, this.distinct(this.fact(predicate.column) ?? ""));
  }

  /** Rows that the applied predicates leave of the join over the nodes; a whole identifier leaves one record. */
  share(applied: ReadonlySet<number>): number {
    const equal = new Map<string, number>();
    for (const index of applied) {
      const predicate = this.query.predicates[index];
      if (predicate?.kind === "equal") equal.set(this.fact(predicate.column) ?? "", index);
    }
    const counted = new Set<number>();
    let share = 1;
    this.graph.nodes.forEach((_, node) => {
      const identity = this.identity(node);
      const indices = identity.map((fact) => equal.get(fact));
      if (identity.length < 2 || indices.some((index) => index === undefined || counted.has(index)))
        return;
      for (const index of indices) counted.add(index as number);
      share /= this.count(node);
    });
    for (const index of applied) {
      const predicate = this.query.predicates[index];
      if (predicate && !counted.has(index)) share *= this.selectivity(predicate);
    }
    return share;
  }
}
