// Deliberate faults in what a Get may do, what a plan holds and what it costs (see ../mutants.mjs).

const oracle = ["src/recordstore/oracle.test.ts"];
/** Statements for which something is easily got wrong, without the random ones. */
const cases = "the cases|seen to fail before";
const migrations = ["src/recordstore/migrations.test.ts"];

/** @type {readonly import("../mutants.mjs").Fault[]} */
export const engineFaults = [
  {
    name: "wrong join key",
    wrong: "rows are joined on columns that do not identify every record that both sides hold",
    file: "src/engine/get-step.ts",
    before: "if (!enough(identified)) return undefined;",
    after: "if (identified.length === 0) return undefined;",
    tests: oracle,
  },
  {
    name: "gap in the clustering key",
    wrong: "a Get binds clustering columns beyond one that has no value",
    file: "src/engine/get-step.ts",
    before: `range = candidate;
      break;`,
    after: `range = candidate;
      continue;`,
    tests: oracle,
  },
  {
    name: "residual filter dropped",
    wrong: "conditions that the server does not apply in a later Get are not applied at all",
    file: "src/engine/estimate-costs.ts",
    before: "if (residual === 0) return [step];",
    after: "if (residual === 0 || index > 0) return [step];",
    tests: oracle,
    only: cases,
  },
  {
    name: "join column not asked for",
    wrong: "a Get leaves out the columns by which its rows are joined to those before",
    file: "src/engine/estimate-costs.ts",
    before: "return fresh | (joined & get.laid.columns);",
    after: "return fresh | (joined & 0n);",
    tests: oracle,
  },
  {
    name: "order claimed across a list",
    wrong:
      "ORDER BY counts as served although a list binds the key, so that several stretches are read",
    file: "src/engine/estimate-costs.ts",
    before: `query.order.length === 0) return undefined;
  if (!readsOnePartition(key)) return undefined;`,
    after: "query.order.length === 0) return undefined;",
    tests: oracle,
    only: cases,
  },
  {
    name: "order not served but claimed",
    wrong: "the clustering column at an order's place need not be the one that is ordered by",
    file: "src/engine/estimate-costs.ts",
    before: "if (!column || column.class !== id) return undefined;",
    after: "if (!column) return undefined;",
    tests: oracle,
    only: cases,
  },
  {
    name: "reverse order with mixed directions",
    wrong:
      "an order counts as served although some of its columns are stored forward and others in reverse",
    file: "src/engine/estimate-costs.ts",
    before: "if (direction !== undefined && direction !== reading) return undefined;",
    after: "",
    tests: oracle,
    only: cases,
  },
  {
    name: "groups claimed across a list",
    wrong: "GROUP BY counts as served although a list binds the partition key",
    file: "src/engine/estimate-costs.ts",
    before: `if (!query.grouped) return false;
  if (!readsOnePartition(key)) return false;`,
    after: "if (!query.grouped) return false;",
    tests: oracle,
    only: cases,
  },
  {
    name: "groups that are no prefix",
    wrong: "the server is to group by columns behind a clustering column that is not grouped by",
    file: "src/engine/estimate-costs.ts",
    before: "if (id < 0 || !determines(query, query.grouping, 1n << BigInt(id))) return false;",
    after: "if (id < 0) return false;",
    tests: oracle,
    only: cases,
  },
  {
    name: "limit before a filter",
    wrong: "LIMIT is given to the server although the application filters afterwards",
    file: "src/engine/estimate-costs.ts",
    before: "return residual === 0 && readsOnePartition(key) && ordered;",
    after: "return residual >= 0 && readsOnePartition(key) && ordered;",
    tests: oracle,
    only: cases,
  },
  {
    name: "limit before a sort",
    wrong: "LIMIT is given to the server although the application sorts afterwards",
    file: "src/engine/estimate-costs.ts",
    before: "return residual === 0 && readsOnePartition(key) && ordered;",
    after:
      "return residual === 0 && readsOnePartition(key) && (ordered || query.limit !== undefined);",
    tests: oracle,
    only: cases,
  },
  {
    name: "limit before a join that drops rows",
    wrong:
      "LIMIT is given to the first Get although a later one applies conditions or joins children",
    file: "src/engine/estimate-costs.ts",
    before: "return unchanged ? query.limit : undefined;",
    after: "return unchanged || sequence.length > 1 ? query.limit : undefined;",
    tests: oracle,
    only: cases,
  },
  {
    name: "list not multiplying n",
    wrong: "a list of values costs one Get instead of one for each value",
    file: "src/engine/estimate-costs.ts",
    before: "served.reduce((product, { listLength }) => product * listLength, 1)",
    after: "served.reduce((product, { listLength }) => product * Math.sign(listLength), 1)",
    tests: ["src/engine/estimate-costs.test.ts"],
  },
  {
    name: "Get per row",
    wrong: "later Gets are counted for every row instead of for every distinct key",
    file: "src/engine/estimate-costs.ts",
    before: "return expectedDistinct(values, rowsBefore);",
    after: "return Math.max(values, rowsBefore);",
    tests: ["src/engine/estimate-costs.test.ts"],
  },
  {
    name: "sorting is free",
    wrong: "the cost of sorting in the application is left out of a plan",
    file: "src/engine/estimate-costs.ts",
    before: "sortCost(model, sortRows ?? 0);",
    after: "sortCost(model, 0);",
    tests: ["src/engine/estimate-costs.test.ts"],
  },
  {
    name: "condition on a share of the rows",
    wrong: "conditions that the application applies do not lessen the rows of later Gets",
    file: "src/engine/estimate-costs.ts",
    before: "rowsOfNodes(query.compiled, nodes) * shareOf(query, applied)",
    after: "rowsOfNodes(query.compiled, nodes) * shareOf(query, applied & 1)",
    tests: ["src/engine/estimate-costs.test.ts"],
  },
  {
    name: "rows as a product",
    wrong: "join rows are the product of the counts, as if every record were linked to every other",
    file: "src/engine/cardinality.ts",
    before: "rows *= links / count(parent) / count(child);",
    after: "rows *= links / links;",
    tests: ["src/engine/estimate-costs.test.ts"],
  },
  {
    name: "list fixes an order column",
    wrong: "a column bound by a list counts as fixed, so that nothing orders by it",
    file: "src/engine/compile-query.ts",
    before: '.filter(({ kind }) => kind === "equal")',
    after: '.filter(({ kind }) => kind !== "range")',
    tests: oracle,
    only: cases,
  },
  {
    name: "identifier missing in the clustering key",
    wrong: "the key of a table does not tell its rows apart, so that some overwrite others",
    file: "src/engine/enumerate-column-families.ts",
    before: "if ((determinedNodes(compiled, known) >> node) & 1) continue;",
    after: "if (known !== 0n || (determinedNodes(compiled, known) >> node) & 1) continue;",
    tests: ["src/engine/enumerate-column-families.test.ts"],
  },
  {
    name: "order stored in one direction",
    wrong: "tables for an order of mixed directions store all its columns ascending",
    file: "src/engine/enumerate-column-families.ts",
    before: 'direction: (direction === "desc") === flip ? "asc" : "desc",',
    after: 'direction: direction === "desc" || flip ? "asc" : "asc",',
    tests: ["src/engine/enumerate-column-families.test.ts"],
  },
  {
    name: "no tables for support queries",
    wrong: "the reads that an update needs propose no tables",
    file: "src/engine/enumerate-column-families.ts",
    before: "for (const layout of supportLayouts(query)) {",
    after: "for (const layout of supportLayouts(query).slice(1)) {",
    tests: ["src/engine/plan-update.test.ts"],
  },
  {
    name: "optional parent as mandatory",
    wrong: "joining a parent that may be missing counts as keeping all rows",
    file: "src/engine/column-classes.ts",
    before: 'mandatory: multiplicity !== "manyToMany" && !optional,',
    after: 'mandatory: multiplicity !== "manyToMany" || !optional,',
    tests: oracle,
  },
  {
    name: "parent determines its children",
    wrong: "a known parent counts as one known child, so that keys lack the child's identifier",
    file: "src/engine/column-classes.ts",
    before: 'return multiplicity === "oneToOne" && hasParent && !hasChild ? child : undefined;',
    after: "return hasParent && !hasChild ? child : undefined;",
    tests: ["src/engine/enumerate-column-families.test.ts"],
  },
  {
    name: "migration source that loses rows",
    wrong: "a table of children counts as a source although some parents have no child",
    file: "src/engine/column-classes.ts",
    before: 'atLeastOne: multiplicity !== "manyToMany" && atLeastOne,',
    after: 'atLeastOne: multiplicity !== "manyToMany" || atLeastOne,',
    tests: migrations,
  },
  {
    name: "migration joined on too little",
    wrong: "sources are joined on columns that do not identify what both hold",
    file: "src/engine/enumerate-migration-plans.ts",
    before:
      "return overlap !== 0 && (determinedNodes(target, columns & source.columns) & overlap) === overlap;",
    after:
      "return overlap !== 0 && (determinedNodes(target, columns & source.columns) & overlap) !== 0;",
    tests: migrations,
  },
  {
    name: "children laid outside a query",
    wrong: "a table that joins children serves a query that does not, so that rows are repeated",
    file: "src/engine/lay-column-family.ts",
    before: "return towardsParent ? edge.mandatory : repeatedChildren && edge.atLeastOne;",
    after: "return towardsParent ? edge.mandatory : repeatedChildren || edge.atLeastOne;",
    tests: oracle,
  },
  {
    name: "replacement without the order",
    wrong:
      "a table gives way to one that does not return its rows in the order that a query asks for",
    file: "src/engine/prune-candidates.ts",
    before:
      "if (servedOrder(query, worse, key) && !servedOrder(query, better, other)) return false;",
    after: "",
    tests: ["src/engine/prune-candidates.test.ts"],
  },
  {
    name: "replacement without the updates",
    wrong: "with updates a table gives way to one with more key columns, whose rows updates move",
    file: "src/engine/prune-candidates.ts",
    before: `(!updated || hasNoMoreKeys(other.columnFamily, family.columnFamily)) &&
          replaces(`,
    after: "replaces(",
    tests: ["src/engine/prune-candidates.test.ts"],
  },
];
