import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entity, type EntityGraph, type Relationship, walkRole } from "./entity-graph.ts";
import type { ColumnReference } from "./query-graph.ts";
import type { Operand, Predicate, Query, Selection, Statement } from "./statement.ts";
import {
  choiceFrom,
  columnsOf,
  oneOf,
  queryOver,
  randomGraph,
  randomQuery,
  randomStatement,
  randomTree,
  type Tree,
} from "./statement-test-random.ts";
import { parseStatement, printStatement } from "./statement-text.ts";

/** All choices of a run, made beforehand; smaller ones are simpler, and 0 goes on for ever. */
const choices = fc.array(fc.nat(0xffff), { minLength: 250, maxLength: 250 });

// --- other spellings ------------------------------------------------------------------------------

const q = (name: string): string => `"${name}"`;

/** A query with an alias for every node, whose FROM is given. */
function aliasedText(query: Omit<Query, "graph">, from: string): string {
  const column = ({ node, attribute }: ColumnReference): string =>
    [`t${node}`, ...attribute.split(".").map(q)].join(".");
  const selection = (each: Selection): string => {
    if (each.kind === "column") return column(each.column);
    return `${each.function}(${each.column ? column(each.column) : "*"})`;
  };
  const value = (operand: Operand): string => {
    if (operand.kind === "parameter") return operand.name ? `:${operand.name}` : "?";
    return typeof operand.value === "string"
      ? `'${operand.value.replaceAll("'", "''")}'`
      : `${operand.value}`;
  };
  const condition = (each: Predicate): string => {
    if (each.kind === "equal") return `${value(each.operand)} = ${column(each.column)}`;
    if (each.kind === "in") return `${column(each.column)} in (${each.operands.map(value)})`;
    return each.bounds
      .map(({ operator, operand }) => `${column(each.column)}${operator} ${value(operand)}`)
      .join(" and ");
  };
  const clause = (word: string, parts: readonly string[], glue = ", "): string =>
    parts.length > 0 ? ` ${word} ${parts.join(glue)}` : "";
  return [
    `select ${query.select.map(selection).join(", ")} from ${from}`,
    clause("where", query.predicates.map(condition), " and "),
    clause("group by", query.groupBy.map(column)),
    clause(
      "order by",
      query.orderBy.map(({ by, direction }) => `${selection(by)} ${direction}`),
    ),
    query.limit === undefined ? "" : ` limit ${query.limit}`,
  ].join("");
}

/** FROM as paths of one step each. */
function steps(graph: EntityGraph, { entities, edges }: Tree): string {
  const items = edges.map(({ relationship, parent, child }) => {
    const ends = graph.relationships.find(({ id }) => id === relationship)?.ends;
    const [near, far, role] =
      parent < child ? [parent, child, ends?.[1].role] : [child, parent, ends?.[0].role];
    return `t${near}.${q(role ?? "")} t${far}`;
  });
  return [`${q(entities[0] as string)} t0`, ...items].join(", ");
}

/** FROM as joins by key columns. */
function joins(graph: EntityGraph, { entities, edges }: Tree): string {
  const items = edges.map(({ relationship, parent, child }) => {
    const found = graph.relationships.find(({ id }) => id === relationship) as Relationship;
    const pairs =
      found.foreignKey.length > 0
        ? found.foreignKey
        : (graph.entities[found.ends[0].entity] as Entity).identifier.map((attribute) => ({
            child: `${found.ends[0].role}.${attribute}`,
            parent: attribute,
          }));
    const written = (name: string): string => name.split(".").map(q).join(".");
    const on = pairs.map(
      (pair) => `t${child}.${written(pair.child)} = t${parent}.${written(pair.parent)}`,
    );
    const fresh = Math.max(parent, child);
    return ` join ${q(entities[fresh] as string)} as t${fresh} on ${on.join(" and ")}`;
  });
  return `${q(entities[0] as string)} as t0${items.join("")}`;
}

function parsed(text: string, graph: EntityGraph): Statement {
  const result = parseStatement({ id: "q", label: "", group: "", text }, graph);
  if (!result.ok)
    throw new Error([text, ...result.issues.map(({ message }) => message)].join("\n"));
  return { ...result.value, text: "" };
}

// --- forms of the language (engine.md §2) -------------------------------------------------------------

const everyForm = [
  ...["query", "insert", "update", "delete", "connect", "disconnect"],
  ...["count", "sum", "min", "max", "avg", "count(*)"],
  ...["=", "in", "in one parameter", "<", "<=", ">", ">=", "between", "no condition"],
  ...["group by", "order by asc", "order by desc", "order by an aggregate", "limit"],
  ...["?", ":name", "literal", "branching graph", "path", "two records of one entity"],
  ...["relationship of an entity to itself", "two relationships between two entities"],
  ...["many to many", "one to one", "composite identifier", "optional parent"],
  ...["insert with connect", "another mandatory parent", "update by a path"],
];

/** What of the language a statement shows. */
function formsOf(statement: Statement, graph: EntityGraph): string[] {
  switch (statement.kind) {
    case "query":
      return ["query", ...formsOfQuery(statement), ...formsOfGraph(statement, graph)];
    case "update":
    case "delete":
      return [
        statement.kind,
        ...formsOfConditions(statement.predicates),
        ...(statement.kind === "update" && statement.graph.nodes.length > 1
          ? ["update by a path"]
          : []),
      ];
    case "insert":
      return ["insert", ...(statement.connections.length > 0 ? ["insert with connect"] : [])];
    default: {
      const { entity, connection, operands } = statement;
      const walk = walkRole(graph, entity, connection.role)?.relationship;
      const held = walk?.multiplicity !== "manyToMany" && walk?.optional === false;
      return [
        statement.kind,
        ...(held ? ["another mandatory parent"] : []),
        ...(operands.length > 1 ? ["composite identifier"] : []),
      ];
    }
  }
}

function formsOfQuery({ select, predicates, groupBy, orderBy, limit }: Query): string[] {
  return [
    ...select.flatMap((each) => {
      if (each.kind === "column") return [];
      return [each.column ? each.function : `${each.function}(*)`];
    }),
    ...formsOfConditions(predicates),
    ...(groupBy.length > 0 ? ["group by"] : []),
    ...orderBy.flatMap(({ by, direction }) => [
      `order by ${direction}`,
      ...(by.kind === "aggregate" ? ["order by an aggregate"] : []),
    ]),
    ...(limit === undefined ? [] : ["limit"]),
  ];
}

function formsOfConditions(predicates: readonly Predicate[]): string[] {
  const operandForm = (operand: Operand): string => {
    if (operand.kind === "literal") return "literal";
    return operand.name === undefined ? "?" : ":name";
  };
  if (predicates.length === 0) return ["no condition"];
  return predicates.flatMap((each): string[] => {
    if (each.kind === "equal") return ["=", operandForm(each.operand)];
    if (each.kind === "in") {
      const [first, ...more] = each.operands;
      const whole = more.length === 0 && first?.kind === "parameter";
      return [whole ? "in one parameter" : "in", ...each.operands.map(operandForm)];
    }
    return [
      ...each.bounds.flatMap(({ operator, operand }) => [operator, operandForm(operand)]),
      ...(each.bounds.length === 2 ? ["between"] : []),
    ];
  });
}

function formsOfGraph({ graph: { nodes, edges } }: Query, graph: EntityGraph): string[] {
  const relationships = edges.flatMap(
    ({ relationship }) => graph.relationships.find(({ id }) => id === relationship) ?? [],
  );
  const pairs = relationships.map(({ ends }) =>
    ends
      .map(({ entity }) => entity)
      .sort()
      .join(),
  );
  const degree = (node: number): number =>
    edges.filter(({ parent, child }) => parent === node || child === node).length;
  const forms: Readonly<Record<string, boolean>> = {
    path: edges.length > 1,
    "branching graph": nodes.some((_, node) => degree(node) > 2),
    "two records of one entity": new Set(nodes.map(({ entity }) => entity)).size < nodes.length,
    "relationship of an entity to itself": relationships.some(
      ({ ends }) => ends[0].entity === ends[1].entity,
    ),
    "two relationships between two entities": relationships.some(({ id }, at) =>
      relationships.some((other, index) => other.id !== id && pairs[index] === pairs[at]),
    ),
    "many to many": relationships.some(({ multiplicity }) => multiplicity === "manyToMany"),
    "one to one": relationships.some(({ multiplicity }) => multiplicity === "oneToOne"),
    "optional parent": relationships.some(({ optional }) => optional),
    "composite identifier": nodes.some(
      ({ entity }) => (graph.entities[entity]?.identifier.length ?? 0) > 1,
    ),
  };
  return Object.keys(forms).filter((form) => forms[form]);
}

describe("for random graphs and statements", () => {
  it("parse undoes print, and print is idempotent", () => {
    fc.assert(
      fc.property(choices, (made) => {
        const g = choiceFrom(made);
        const graph = randomGraph(g);
        const statement = randomStatement(g, graph);
        fc.pre(statement !== undefined);
        const printed = printStatement(statement, graph);
        const again = parsed(printed, graph);
        expect(again).toEqual(statement);
        expect(printStatement(again, graph)).toBe(printed);
      }),
      { numRuns: 1000 },
    );
  });

  it("cover every form of the language", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(choices, (made) => {
        const g = choiceFrom(made);
        const graph = randomGraph(g);
        const statement = randomStatement(g, graph);
        for (const form of statement ? formsOf(statement, graph) : []) seen.add(form);
      }),
      { numRuns: 1000 },
    );
    expect([...seen].sort()).toEqual([...everyForm].sort());
  });

  it("an alias for every node means the same", () => {
    fc.assert(
      fc.property(choices, (made) => {
        const g = choiceFrom(made);
        const graph = randomGraph(g);
        const tree = randomTree(g, graph, () => true);
        const query = randomQuery(g, columnsOf(graph, tree));
        const text = aliasedText(query, steps(graph, tree));
        expect(parsed(text, graph)).toEqual(queryOver(graph, tree, query));
      }),
      { numRuns: 600 },
    );
  });

  it("joins by keys mean the same", () => {
    fc.assert(
      fc.property(choices, (made) => {
        const g = choiceFrom(made);
        const graph = randomGraph(g);
        const tree = randomTree(g, graph, ({ multiplicity }) => multiplicity !== "manyToMany");
        fc.pre(tree.edges.length > 0);
        const query = randomQuery(g, columnsOf(graph, tree));
        const text = aliasedText(query, joins(graph, tree));
        expect(parsed(text, graph)).toEqual(queryOver(graph, tree, query));
      }),
      { numRuns: 600 },
    );
  });
});

const words = [
  ..."SELECT INSERT UPDATE DELETE CONNECT DISCONNECT FROM INTO SET WHERE AND OR NOT IN".split(" "),
  ..."BETWEEN LIKE IS NULL ORDER GROUP BY LIMIT JOIN LEFT ON AS VALUES TO DESC count sum".split(
    " ",
  ),
  ..."user Order Like id name from n1 sender parent ( ) , . * = < >= <> + - / % ; ? :a".split(" "),
  ..."'x' 'it''s 3 -1.5e3 9e999 \"item two\" \"a `b` [c] $1 @ € /* -- || true".split(" "),
];

describe("for any text whatever", () => {
  it("nothing is thrown, and every issue has its place, span and hint", () => {
    const someText = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(" ")),
      fc.string({ unit: "grapheme" }),
    );
    fc.assert(
      fc.property(choices, someText, (made, text) => {
        const result = parseStatement(
          { id: "q", label: "", group: "", text },
          randomGraph(choiceFrom(made)),
        );
        const issues = result.ok ? result.warnings : result.issues;
        if (!result.ok) expect(issues.length).toBeGreaterThan(0);
        for (const { place, hint, span, severity } of issues) {
          expect(place).toBe("statements/q");
          expect(severity).toBe(result.ok ? "warning" : "error");
          expect(hint).not.toBe("");
          expect(span?.start).toBeGreaterThanOrEqual(0);
          expect(span?.end).toBeGreaterThanOrEqual(span?.start ?? 0);
          expect(span?.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("a damaged statement is refused, or is one that can be printed", () => {
    fc.assert(
      fc.property(choices, (made) => {
        const g = choiceFrom(made);
        const graph = randomGraph(g);
        const statement = randomStatement(g, graph);
        fc.pre(statement !== undefined);
        const parts = printStatement(statement, graph).split(/(?<=\W)|(?=\W)/);
        const at = g(parts.length);
        const damage = oneOf(g, ["drop", "double", "replace"]);
        const part = parts[at] as string;
        const mended = { drop: [], double: [part, part], replace: [oneOf(g, words)] }[damage] ?? [];
        const text = [...parts.slice(0, at), ...mended, ...parts.slice(at + 1)].join("");
        const result = parseStatement({ id: "q", label: "", group: "", text }, graph);
        if (!result.ok) return;
        const printed = printStatement(result.value, graph);
        expect(parsed(printed, graph)).toEqual({ ...result.value, text: "" });
      }),
      { numRuns: 1000 },
    );
  });
});
