/** Columns and records of a graph under names, for rules that share nothing with the engine's classes. */
import type { EntityGraph, Relationship } from "#model/entity-graph.ts";
import type { ColumnReference, QueryGraph } from "#model/query-graph.ts";

export function relationshipOf({ relationships }: EntityGraph, id: string): Relationship {
  const found = relationships.find((each) => each.id === id);
  if (!found) throw new Error(`no relationship ${id}`);
  return found;
}

/** Columns of a graph under one name where the joins make them equal. */
export class Names {
  private readonly name = new Map<string, string>();
  private readonly entityGraph: EntityGraph;
  private readonly graph: QueryGraph;

  constructor(entityGraph: EntityGraph, graph: QueryGraph) {
    this.entityGraph = entityGraph;
    this.graph = graph;
    graph.nodes.forEach(({ entity }, node) => {
      for (const { name } of entityGraph.entities[entity]?.attributes ?? [])
        this.name.set(`${node}.${name}`, `${node}.${name}`);
    });
    for (const edge of graph.edges)
      for (const { child, parent } of relationshipOf(entityGraph, edge.relationship).foreignKey)
        this.rename(`${edge.child}.${child}`, `${edge.parent}.${parent}`);
  }

  private rename(a: string, b: string): void {
    const [from, to] = [this.name.get(a), this.name.get(b)] as [string, string];
    for (const [column, name] of this.name) if (name === from) this.name.set(column, to);
  }

  of({ node, attribute }: ColumnReference): string {
    return node < 0 ? "*" : (this.name.get(`${node}.${attribute}`) ?? "?");
  }

  /** All columns of this graph that bear the name. */
  columns(name: string): ColumnReference[] {
    return [...this.name].flatMap(([text, each]) => {
      const dot = text.indexOf(".");
      return each === name
        ? [{ node: Number(text.slice(0, dot)), attribute: text.slice(dot + 1) }]
        : [];
    });
  }

  /** Records whose own identifier is among the values. */
  identified(values: ReadonlySet<string>): Set<number> {
    const found = new Set<number>();
    this.graph.nodes.forEach(({ entity }, node) => {
      const identifier = this.entityGraph.entities[entity]?.identifier ?? [];
      if (identifier.every((attribute) => values.has(this.of({ node, attribute }))))
        found.add(node);
    });
    return found;
  }

  /** Records that some values single out: by their identifier, then from child to parent, and both ways one to one. */
  singledOut(values: ReadonlySet<string>): Set<number> {
    const found = this.identified(values);
    for (let size = -1; size < found.size; ) {
      size = found.size;
      for (const { relationship, parent, child } of this.graph.edges) {
        const { multiplicity } = relationshipOf(this.entityGraph, relationship);
        if (multiplicity !== "manyToMany" && found.has(child)) found.add(parent);
        if (multiplicity === "oneToOne" && found.has(parent)) found.add(child);
      }
    }
    return found;
  }

  /** All values of the records that some values single out, and these values. */
  determined(values: ReadonlySet<string>): Set<string> {
    const all = new Set(values);
    for (const node of this.singledOut(values)) {
      const entity = this.entityGraph.entities[this.graph.nodes[node]?.entity ?? ""];
      for (const { name } of entity?.attributes ?? []) all.add(this.of({ node, attribute: name }));
    }
    return all;
  }

  /** Adds parents that every one of the records has. */
  withParents(nodes: ReadonlySet<number>): Set<number> {
    const all = new Set(nodes);
    for (let size = -1; size < all.size; ) {
      size = all.size;
      for (const { relationship, parent, child } of this.graph.edges) {
        const { multiplicity, optional } = relationshipOf(this.entityGraph, relationship);
        if (multiplicity !== "manyToMany" && !optional && all.has(child)) all.add(parent);
      }
    }
    return all;
  }
}
