// Deliberate faults in the graph of plans, the relaxation of a step and what is left out by it (see ../mutants.mjs).

const graph = ["src/engine/plan-graph.test.ts"];
const search = ["src/engine/optimise.test.ts"];

/** @type {readonly import("../mutants.mjs").Fault[]} */
export const graphFaults = [
  {
    name: "directions told apart no more",
    wrong:
      "tables that store an order forward and mixed stand in one class, as if they did the same",
    file: "src/engine/family-classes.ts",
    before: '? direction : "asc",',
    after: '? "asc" : "asc",',
    tests: graph,
  },
  {
    name: "limit followed by more records",
    wrong: "after a Get with the statement's limit a plan may join records that drop rows",
    file: "src/engine/plan-graph.ts",
    before: "return after.applied === applied && (after.nodes & ~this.withParents(nodes)) === 0;",
    after: "return after.applied === applied;",
    tests: graph,
  },
  {
    name: "later keys delivered free",
    wrong: "the columns that later Gets need of earlier ones do not make these dearer",
    file: "src/engine/plan-paths.ts",
    before: "later = sets.union(needs[arc] as number, later);",
    after: "later = sets.union(later, later);",
    tests: graph,
  },
  {
    name: "second Get only a lookup",
    wrong: "plans whose second Get is more than a key lookup are not found",
    file: "src/engine/plan-graph.ts",
    before: "if (building.depth >= 2 && !kind.shape.isLookup) continue;",
    after: "if (building.depth >= 1 && !kind.shape.isLookup) continue;",
    tests: graph,
  },
  {
    name: "values beside the query's forgotten",
    wrong: "plans that bind a value which an earlier Get happens to deliver are not found",
    file: "src/engine/plan-graph.ts",
    before: `this.bindBeside(root);
    this.expandAll();`,
    after: "",
    tests: graph,
  },
  {
    name: "plan complete too early",
    wrong: "a plan counts as complete although conditions are left",
    file: "src/engine/plan-graph.ts",
    before: "applied === allPredicates &&",
    after: "(applied === allPredicates || applied > 1) &&",
    tests: graph,
  },
  {
    name: "cheapest plan of another schema",
    wrong: "the cheapest plan is remembered by how many tables there are, not by which",
    file: "src/engine/enumerate-query-plans.ts",
    before: 'const key = stands.map((each) => (each ? "1" : "0")).join("");',
    after: 'const key = stands.map((each) => (each ? "1" : "0")).sort().join("");',
    tests: search,
  },
  {
    name: "dominance without the cost condition",
    wrong: "a plan is left out for one on fewer tables that costs more",
    file: "src/engine/enumerate-query-plans.ts",
    before: "if (smaller && smaller.cost <= cost) return true;",
    after: "if (smaller) return true;",
    tests: graph,
  },
  {
    name: "program's plans without the cost condition",
    wrong: "the program leaves out a plan for one on fewer classes of tables that costs more",
    file: "src/engine/plan-paths.ts",
    before: "if (other !== undefined && other <= cost && some !== keyOf(classes)) return false;",
    after: "if (other !== undefined && some !== keyOf(classes)) return false;",
    tests: graph,
  },
  {
    name: "dearer of two plans kept",
    wrong: "of plans that can be made on the same tables the dearer one is kept",
    file: "src/engine/reduce-program.ts",
    before: "if (!known || path.cost < known.cost) best.set(key, path);",
    after: "if (!known || path.cost > known.cost) best.set(key, path);",
    tests: ["src/engine/reduce-program.test.ts"],
  },
  {
    name: "bound above the optimum",
    wrong: "families whose reduced cost is negative do not lower the bound of a step",
    file: "src/engine/relax-step.ts",
    before: "cost += this.pinned.has(family) ? price : Math.min(0, price);",
    after: "cost += this.pinned.has(family) ? price : Math.max(0, price);",
    tests: search,
  },
  {
    name: "storage costs nothing in the bound",
    wrong: "the bound of a step leaves out what the price of storage is paid for",
    file: "src/engine/relax-step.ts",
    before: "let cost = -lambda * (input.storageBytes ?? 0);",
    after: "let cost = -lambda * 0;",
    tests: search,
  },
  {
    name: "slack halved",
    wrong: "plans are left out that an answer as good as the best known one may use",
    file: "src/engine/reduce-program.ts",
    before: "const most = Math.min(own.least + limit, Number.MAX_VALUE);",
    after: "const most = Math.min(own.least, Number.MAX_VALUE);",
    tests: search,
  },
  {
    name: "banned plan allowed",
    wrong: "a plan that a person has banned may be chosen",
    file: "src/engine/restrictions.ts",
    before: 'if (demand === "ban") return !readsAll;',
    after: 'if (demand === "ban") return true;',
    tests: ["src/engine/restrictions.test.ts"],
  },
];
