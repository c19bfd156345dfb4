/**
 * What the statement language recognises and refuses: each time the reason, and the known way round
 * (engine.md §2).
 */
import type { Span } from "./issue.ts";
import { complain, type Report } from "./statement-tokens.ts";

export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Reports a refusal where it is due. */
export function refuse(report: Report, span: Span, { message, hint }: Refusal): void {
  complain(report, span, message, hint);
}

const outsideTable =
  "Filter these rows in the application, or store the distinction as an attribute.";
const oneTree = "a statement is one tree of entities.";
const continueByRange = "Continue behind the last row by a range on the ORDER BY column.";

export const refusals: Readonly<
  Record<
    | "or"
    | "not"
    | "unequal"
    | "like"
    | "isNull"
    | "null"
    | "tuple"
    | "twoValues"
    | "subquery"
    | "with"
    | "distinct"
    | "increment"
    | "limit"
    | "limitWithOffset"
    | "nullsFirst"
    | "outerJoin"
    | "crossJoin"
    | "naturalJoin"
    | "using"
    | "insertSelect"
    | "severalRows"
    | "twoColumns",
    Refusal
  >
> = {
  or: {
    message: "OR is not supported: a Get reads the rows for which all conditions hold.",
    hint: "Use IN for several values of one column, or write a statement for each alternative and unite the rows in the application.",
  },
  not: {
    message: "NOT is not supported: a Get reads by what a value is, not by what it is not.",
    hint: outsideTable,
  },
  unequal: {
    message: "≠ is not supported: a Get reads by what a value is, not by what it is not.",
    hint: outsideTable,
  },
  like: {
    message: "LIKE is not supported: Cassandra finds rows by whole values.",
    hint: "Store the prefix that is searched for as an attribute and compare it by =.",
  },
  isNull: {
    message: "IS NULL is not supported: a null cannot stand in a key and is not stored.",
    hint: "Use a value of its own, such as '' or false, for what is not known, and compare it by =.",
  },
  null: {
    message: "NULL is not supported: a null cannot stand in a key and is not stored.",
    hint: "Use a value of its own, such as '' or 0, for what is not known.",
  },
  tuple: {
    message: "Comparing several columns at once is not supported.",
    hint: "Compare the columns one by one.",
  },
  twoValues: {
    message: "This compares two values and no column.",
    hint: "Leave the condition out, or name a column in it.",
  },
  subquery: {
    message: `Sub-queries are not supported: ${oneTree}`,
    hint: "Write the inner query as a statement of its own and pass its rows as parameters.",
  },
  with: {
    message: `WITH is not supported: ${oneTree}`,
    hint: "Write the inner query as a statement of its own and pass its rows as parameters.",
  },
  distinct: {
    message: "DISTINCT is not supported.",
    hint: "GROUP BY the selected columns: that gives each combination once.",
  },
  increment: {
    message:
      "Adding to a stored value is not supported: Cassandra does it for counters only, and statements here do not hold an increment.",
    hint: "Read the value by a statement of its own and set the new one: SET attribute = ?.",
  },
  limit: {
    message: "LIMIT needs a whole number of at least 1.",
    hint: "Write the number of rows; a parameter will not do, because the estimates depend on it.",
  },
  limitWithOffset: {
    message: "LIMIT with an offset is not supported: Cassandra would read the rows passed over.",
    hint: continueByRange,
  },
  nullsFirst: {
    message: "NULLS FIRST and NULLS LAST are not supported: nulls are not stored.",
    hint: "Leave it out.",
  },
  outerJoin: {
    message: "Outer joins are not supported: a column family holds linked records only.",
    hint: "Use JOIN, and read the records without a partner by a statement of their own.",
  },
  crossJoin: {
    message: "CROSS JOIN is not supported: it pairs records that are not linked.",
    hint: "Join along a relationship, or write two statements.",
  },
  naturalJoin: {
    message: "NATURAL JOIN is not supported: it depends on how columns happen to be called.",
    hint: "Write JOIN … ON with the key columns.",
  },
  using: {
    message: "USING is not supported: it does not say which side holds the key.",
    hint: "Write ON child.role.key = parent.key.",
  },
  insertSelect: {
    message: "INSERT … SELECT is not supported: a statement inserts one record.",
    hint: "Write the query as a statement of its own and insert its rows one by one.",
  },
  severalRows: {
    message: "A statement inserts one record.",
    hint: "Leave the other rows out and raise the statement's frequency instead.",
  },
  twoColumns: {
    message:
      "Comparing two columns is supported only where it joins two entities by their key: a Get compares stored values with given ones.",
    hint: "Filter the rows in the application, or store the comparison as an attribute.",
  },
};

/** Clauses of other languages, by their first word. */
export const refusedClauses: ReadonlyMap<string, Refusal> = new Map([
  [
    "HAVING",
    {
      message: "HAVING is not supported: a Get cannot filter by an aggregate.",
      hint: "Filter the groups in the application.",
    },
  ],
  ...["UNION", "INTERSECT", "EXCEPT"].map((word): [string, Refusal] => [
    word,
    {
      message: `${word} is not supported: ${oneTree}`,
      hint: "Write a statement for each part and put the rows together in the application.",
    },
  ]),
  [
    "OFFSET",
    {
      message: "OFFSET is not supported: Cassandra would read the rows passed over.",
      hint: continueByRange,
    },
  ],
  ["FETCH", { message: "FETCH is not supported.", hint: "Write LIMIT n." }],
  [
    "ALLOW",
    {
      message: "ALLOW FILTERING is not needed: tables are made for their statements.",
      hint: "Leave it out.",
    },
  ],
]);

/** A sign of arithmetic behind a value. */
export function arithmeticRefusal(sign: string): Refusal {
  return {
    message: `Arithmetic (“${sign}”) is not supported: a Get compares stored values.`,
    hint: "Compute the value in the application and pass it as a parameter, or store it as an attribute; a name with - in it stands in double quotes.",
  };
}

/** A function call that is no aggregate. */
export function functionRefusal(name: string): Refusal {
  return {
    message: `The function ${name}(…) is not supported: a Get compares stored values.`,
    hint: "Compute the value in the application and pass it as a parameter, or store it as an attribute.",
  };
}

/** An aggregate where none can stand. */
export function aggregateRefusal(name: string): Refusal {
  return {
    message: `The aggregate ${name}(…) cannot stand here.`,
    hint: "Aggregates stand in SELECT and ORDER BY; the application checks conditions on them.",
  };
}
