// Deliberate faults in what is carried over from one run to the next (see ../mutants.mjs).

const memory = ["src/engine/run-memory.test.ts"];

/** @type {readonly import("../mutants.mjs").Fault[]} */
export const whatIfFaults = [
  {
    name: "remembered under any limit",
    wrong: "what was found of a step under one storage limit is taken for found under another",
    file: "src/engine/run-memory.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of the source.
    before: 'return `${storageBytes ?? "all"} ${workload.timeline',
    after: "return `all ${workload.timeline",
    tests: memory,
  },
  {
    name: "remembered under any bans",
    wrong: "what was found of a step is taken for found whatever is banned",
    file: "src/engine/run-memory.ts",
    before: "[...banned].sort(), [...plans]",
    after: "[], [...plans]",
    tests: memory,
  },
  {
    name: "remembered though cut short",
    wrong: "what a search found whose time was up is recalled as if it were whole",
    file: "src/engine/run-memory.ts",
    before: "if (isWhole && (left === undefined || left > clockPrecision))",
    after: "if (isWhole || left === undefined)",
    tests: memory,
  },
  {
    name: "old plans for ever",
    wrong: "an old answer under other frequencies costs what it cost under its own",
    file: "src/engine/recost-workload.ts",
    before: "return { ...chosen, executions: times, cost: times * perExecution };",
    after: "return { ...chosen, executions: times, cost: chosen.cost + 0 * perExecution };",
    tests: ["src/engine/recost-workload.test.ts"],
  },
  {
    name: "updates while loading at the wrong step",
    wrong: "what comes while a table is loaded is paid by the frequencies of another step",
    file: "src/engine/recost-workload.ts",
    before: "maintenanceOf(this.families.get(key), this.problem, from, load)",
    after: "maintenanceOf(this.families.get(key), this.problem, from + 1, load)",
    tests: ["src/engine/recost-workload.test.ts"],
  },
  {
    name: "old tables given up",
    wrong:
      "a search that was ended early answers with tables that are dearer than those there were",
    file: "src/engine/optimise.ts",
    before: "? old : outcome.choice;",
    after: "? outcome.choice : outcome.choice;",
    tests: memory,
  },
  {
    name: "stopped too late",
    wrong: "a stopped worker is ended although it would have ended the run by itself",
    file: "src/worker/client.ts",
    before: "Math.min(most, Math.max(least, engine.enumerating))",
    after: "Math.min(0, Math.max(least, engine.enumerating))",
    tests: ["src/worker/client.test.ts"],
  },
  {
    name: "any plan is good enough",
    wrong: "a step keeps its tables however often a query runs that has a better plan",
    file: "src/engine/shift-step.ts",
    before: "if (plan.cost > least * (1 + samePlan)) return undefined;",
    after: "if (plan.cost > least * (1e9 + samePlan)) return undefined;",
    tests: memory,
  },
  {
    name: "less is taken for more",
    wrong: "a step keeps its tables when a query runs less often than its table is worth",
    file: "src/engine/shift-step.ts",
    before: "if (after < before || least",
    after: "if (after < 0 * before || least",
    tests: memory,
  },
];
