/**
 * For tests: what a statement says, in a notation of its own, and entity graphs drawn in a few words: `*id uuid, name text` are attributes, a star marks the
 * identifier; `User[sender] 1:N Message[sent]` is a relationship with the role that leads to each end.
 */
import {
  buildEntityGraph,
  type EntityDrawing,
  type RelationshipDrawing,
} from "./entity-drawing.ts";
import type { AttributeType, EntityGraph, Multiplicity } from "./entity-graph.ts";
import { canonicalGraph, type QueryGraph } from "./query-graph.ts";
import type { Operand, Predicate, Selection, Statement } from "./statement.ts";

/** The graph of a drawing; throws when the drawing is wrong, which is the test's own mistake. */
export function drawnGraph(
  entities: Readonly<Record<string, string>>,
  relationships: readonly string[] = [],
): EntityGraph {
  const result = buildEntityGraph(
    Object.entries(entities).map(([name, attributes]) => drawnEntity(name, attributes)),
    relationships.map(drawnRelationship),
  );
  if (!result.ok) throw new Error(result.issues.map(({ message }) => message).join("\n"));
  return result.value;
}

/** `*` before a word without a type marks a role as part of the identifier. */
function drawnEntity(name: string, text: string): EntityDrawing {
  const parts = text.split(", ").map((part) => {
    const words = part.replace("*", "").split(" ");
    const type = words.length > 1 ? words.pop() : undefined;
    return { attribute: words.join(" "), type, isIdentifier: part.startsWith("*") };
  });
  return {
    name,
    count: 1000,
    attributes: parts.flatMap(({ attribute, type }) =>
      type === undefined ? [] : [{ name: attribute, type: type as AttributeType }],
    ),
    identifier: parts.flatMap(({ attribute, isIdentifier }) => (isIdentifier ? [attribute] : [])),
  };
}

const multiplicities: Readonly<Record<string, Multiplicity>> = {
  "1:1": "oneToOne",
  "1:N": "oneToMany",
  "N:M": "manyToMany",
};

/** `A[a] 1:N B[b]`, then perhaps `optional` and bindings `child=parent`. */
function drawnRelationship(text: string): RelationshipDrawing {
  const end = /(\w+)\[(\w+)\]/g;
  const [parent, child] = [...text.matchAll(end)].map(([, entity, role]) => ({
    entity: entity ?? "",
    role: role ?? "",
  }));
  if (!parent || !child) throw new Error(`“${text}” is no relationship`);
  const bind = Object.fromEntries(
    [...text.matchAll(/(\w+)=(\w+)/g)].map(([, held, parentAttribute]) => [held, parentAttribute]),
  );
  const multiplicity = multiplicities[text.match(/1:1|1:N|N:M/)?.[0] ?? ""] ?? "oneToMany";
  return {
    multiplicity,
    ends: [parent, child],
    ...(multiplicity === "manyToMany" && { links: 3000 }),
    ...(text.includes("optional") && { optional: true, links: 500 }),
    ...(Object.keys(bind).length > 0 && { bind }),
  };
}

/** Users, the items they sell, bids, regions, tags: every kind of relationship once. */
export const auction: EntityGraph = drawnGraph(
  {
    user: "*id uuid, name text, rating int, active boolean, views counter, photo blob, joined date",
    item: "*id uuid, name text, price double, end_date date, quantity int",
    bid: "*id uuid, amount double, placed timestamp",
    region: "*id int, name text",
    tag: "*word text, colour text",
    profile: "*id uuid, motto text",
  },
  [
    "user[user] 1:N item[items]",
    "user[bidder] 1:N bid[bids]",
    "item[item] 1:N bid[bids]",
    "region[region] 1:N user[users]",
    "item[tagged] N:M tag[tags]",
    "user[owner] 1:1 profile[profile]",
    "user[referrer] 1:N user[referred] optional",
  ],
);

/** Two relationships between the same entities, and one of an entity to itself. */
export const messages: EntityGraph = drawnGraph(
  {
    User: "*user_id uuid, username text, email text, pw_hash text",
    Message: "*message_id uuid, sent_at date, body text, is_read boolean",
  },
  [
    "User[sender] 1:N Message[sent]",
    "User[recipient] 1:N Message[received]",
    "Message[parent] 1:N Message[replies] optional",
  ],
);

/** TPC-C: composite keys, held by attributes of the child's own. */
export const orderEntry: EntityGraph = drawnGraph(
  {
    warehouse: "*w_id int, w_name text, w_tax decimal, w_ytd decimal",
    district: "*d_w_id int, *d_id int, d_next_o_id int, d_ytd decimal",
    customer: "*c_w_id int, *c_d_id int, *c_id int, c_first text, c_last text, c_balance decimal",
    item: "*i_id int, i_name text, i_price decimal",
    stock: "*s_w_id int, *s_i_id int, s_quantity int",
    orders:
      "*o_w_id int, *o_d_id int, *o_id int, o_c_id int, o_entry_d timestamp, o_carrier_id int",
    new_order: "*no_w_id int, *no_d_id int, *no_o_id int",
    order_line:
      "*ol_w_id int, *ol_d_id int, *ol_o_id int, *ol_number int, ol_i_id int, ol_quantity int",
  },
  [
    "warehouse[warehouse] 1:N district[districts] d_w_id=w_id",
    "district[district] 1:N customer[customers] c_w_id=d_w_id c_d_id=d_id",
    "warehouse[warehouse] 1:N stock[stocks] s_w_id=w_id",
    "item[item] 1:N stock[stocks] s_i_id=i_id",
    "customer[customer] 1:N orders[orders] o_w_id=c_w_id o_d_id=c_d_id o_c_id=c_id",
    "orders[order] 1:1 new_order[new_order] no_w_id=o_w_id no_d_id=o_d_id no_o_id=o_id",
    "orders[order] 1:N order_line[lines] ol_w_id=o_w_id ol_d_id=o_d_id ol_o_id=o_id",
  ],
);

const operand = (each: Operand): string =>
  each.kind === "literal" ? JSON.stringify(each.value) : `?${each.name ?? ""}`;

/** What a statement says, in a notation of the tests' own; `|` stands between node and attribute. */
export function outline(statement: Statement, graph: EntityGraph): Record<string, unknown> {
  switch (statement.kind) {
    case "query": {
      const { select, predicates, groupBy, orderBy, limit } = statement;
      const column = columnsOf(statement.graph);
      const selection = (each: Selection): string => {
        const inner = each.column === undefined ? "*" : column(each.column);
        return each.kind === "column" ? inner : `${each.function} ${inner}`;
      };
      return {
        graph: treeOf(statement.graph, graph),
        select: select.map(selection),
        where: predicates.map((each) => conditionOf(each, statement.graph)),
        ...(groupBy.length > 0 && { groupBy: groupBy.map(column) }),
        ...(orderBy.length > 0 && {
          orderBy: orderBy.map(({ by, direction }) => `${selection(by)} ${direction}`),
        }),
        ...(limit !== undefined && { limit }),
      };
    }
    case "update":
    case "delete":
      return {
        graph: treeOf(statement.graph, graph),
        target: statement.graph.nodes[statement.target]?.label,
        where: statement.predicates.map((each) => conditionOf(each, statement.graph)),
        ...(statement.kind === "update" && {
          set: statement.assignments.map((each) => `${each.attribute} ${operand(each.operand)}`),
        }),
      };
    default: {
      const links = statement.kind === "insert" ? statement.connections : [statement.connection];
      return {
        entity: statement.entity,
        ...(statement.kind === "insert" && {
          set: statement.assignments.map((each) => `${each.attribute} ${operand(each.operand)}`),
        }),
        ...(statement.kind !== "insert" && { record: statement.operands.map(operand) }),
        links: links.map((each) => `${each.role} ${each.operands.map(operand).join(" ")}`),
      };
    }
  }
}

const columnsOf =
  (graph: QueryGraph) =>
  ({ node, attribute }: { node: number; attribute: string }): string =>
    `${graph.nodes[node]?.label}|${attribute}`;

function conditionOf(predicate: Predicate, graph: QueryGraph): string {
  const column = columnsOf(graph)(predicate.column);
  switch (predicate.kind) {
    case "equal":
      return `${column} = ${operand(predicate.operand)}`;
    case "in":
      return `${column} in ${predicate.operands.map(operand).join(" ")} (${predicate.listLength})`;
    case "range": {
      const bounds = predicate.bounds.map((each) => `${each.operator} ${operand(each.operand)}`);
      return `${column} ${bounds.join(" and ")} (${predicate.selectivity})`;
    }
  }
}

/** The text of a graph; throws when the graph is not in canonical form. */
function treeOf(queryGraph: QueryGraph, graph: EntityGraph): string {
  const entities = queryGraph.nodes.map(({ entity }) => entity);
  const canonical = canonicalGraph(graph, entities, queryGraph.edges);
  if (JSON.stringify(canonical.graph) !== JSON.stringify(queryGraph))
    throw new Error(`${canonical.text} is not in canonical form`);
  return canonical.text;
}
