// Deliberate faults in what updates do to tables, and in the store that judges them (see ../mutants.mjs).

const updates = ["src/recordstore/updates.test.ts"];

/** @type {readonly import("../mutants.mjs").Fault[]} */
export const updateFaults = [
  {
    name: "key column updated without the delete",
    wrong: "an update of a key column puts the new row and leaves the old one",
    file: "src/engine/plan-update.ts",
    before: "const moves = sets.some(({ column }) => has(key, compiled.classOf(column)));",
    after: "const moves = sets.length > 9 && has(key, 1);",
    tests: updates,
  },
  {
    name: "delete of a moved row not paid",
    wrong: "the row that an update of a key column deletes is not counted",
    file: "src/engine/plan-update.ts",
    before: "sets, puts: rows, deletes: moves ? rows : 0 }];",
    after: "sets, puts: rows, deletes: moves ? 0 : 0 }];",
    tests: ["src/recordstore/honesty-updates.test.ts"],
  },
  {
    name: "old row of a moved key stays",
    wrong: "carrying an update out, the row under the old key is not deleted",
    file: "src/recordstore/run-update-plan.ts",
    before: "this.deletes.set(this.keyText(before), this.keyOf(before));",
    after: "this.deletes.set(this.keyText(row), this.keyOf(row));",
    tests: ["src/recordstore/updates.test.ts"],
  },
  {
    name: "support query missing",
    wrong: "whether a row is there is not read, so that rows are put whose parent may be missing",
    file: "src/engine/plan-update.ts",
    before: "if (asked.length === 0 && (sure || !exists)) return [];",
    after: "if (asked.length === 0 || (sure && !exists)) return [];",
    tests: updates,
  },
  {
    name: "condition taken for one record",
    wrong: "an update by a part of the identifier changes one record only",
    file: "src/engine/plan-update.ts",
    before: "setOf(byClass) === identifier &&",
    after: "(setOf(byClass) & identifier) !== 0n &&",
    tests: updates,
  },
  {
    name: "record at one place only",
    wrong: "an inserted record that a row holds twice is put at one place at a time only",
    file: "src/engine/plan-update.ts",
    before: "return subsetsOf(nodesWith(target, statement.entity)).flatMap((places) => {",
    after: "return nodesWith(target, statement.entity).map((node) => [node]).flatMap((places) => {",
    tests: updates,
  },
  {
    name: "other places forgotten",
    wrong: "rows in which a moved child stands at further places are put with its old parent there",
    file: "src/engine/plan-update.ts",
    before: "others.map(({ node }) => givenBy(target, [{ node, identifier: child }])),",
    after: "others.slice(1).map(({ node }) => givenBy(target, [{ node, identifier: child }])),",
    tests: updates,
  },
  {
    name: "new parent's values not read",
    wrong: "a child that gets another parent keeps what the table holds of the old one",
    file: "src/engine/plan-update.ts",
    before: `renews: edge
      ?`,
    after: `renews: edge && moves
      ?`,
    tests: updates,
  },
  {
    name: "deletes of one record only",
    wrong: "a condition that means several records deletes the rows of one",
    file: "src/engine/plan-update.ts",
    before: "deletes: times * (reads.length > 0 ? rows : 1),",
    after: "deletes: reads.length > 0 ? rows : 1,",
    tests: ["src/recordstore/honesty-updates.test.ts"],
  },
  {
    name: "load wins over an update",
    wrong: "loading a table overwrites what updates have written to it meanwhile",
    file: "src/recordstore/load-table.ts",
    before: 'if (written === "row") return;',
    after: 'if (written === "row") return void putRow(table, row);',
    tests: ["src/recordstore/load-table.test.ts"],
  },
  {
    name: "store reads across a gap",
    wrong:
      "the record store answers a Get that Cassandra would refuse: a gap in the clustering key",
    file: "src/recordstore/table.ts",
    before: 'if (open) throw new Refusal("gap in the clustering key", nameAt(table, at));',
    after: "",
    tests: ["src/recordstore/table.test.ts"],
  },
  {
    name: "store forgets descending",
    wrong: "the record store sorts rows ascending whatever the table says",
    file: "src/recordstore/table.ts",
    before: `compareValues(a[from + index] as Value, b[from + index] as Value);
    if (order !== 0) return direction === "asc" ? order : -order;`,
    after: `compareValues(a[from + index] as Value, b[from + index] as Value);
    if (order !== 0) return direction === "asc" ? order : order;`,
    tests: ["src/recordstore/table.test.ts"],
  },
  {
    name: "application forgets a condition",
    wrong: "a range with two bounds is filtered by the first one only",
    file: "src/recordstore/run-query-plan.ts",
    before: "return predicate.bounds.every(({ operator }, index) => {",
    after: "return predicate.bounds.some(({ operator }, index) => {",
    tests: ["src/recordstore/oracle.test.ts"],
    only: "the cases|seen to fail before",
  },
  {
    name: "filled table loses a row",
    wrong: "the truth that everything is held against drops rows with equal keys without a word",
    file: "src/recordstore/fill-table.ts",
    before: "if (overwritten > 0) throw",
    after: "if (overwritten < 0) throw",
    tests: ["src/recordstore/fill-table.test.ts"],
  },
];
