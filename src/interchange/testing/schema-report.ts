/** For tests: an import as lines of text that are compared and read by people. */
import type { ImportPlan, ReadSchema } from "#model/imported-schema.ts";

const signs = { oneToOne: "1-1", oneToMany: "1-n", manyToMany: "n-m" } as const;

/** Tables as read, then what the plan makes of them. */
export function schemaReport(read: ReadSchema, plan: ImportPlan): string {
  const lines = [
    `dialect ${read.dialect}`,
    "",
    ...read.tables.flatMap(({ id, line, columns, primaryKey, uniqueKeys, references }) => [
      `table ${id} (line ${line})`,
      ...columns.map(
        ({ name, sqlType, type, bytes, required }) =>
          `  ${name}: ${sqlType} = ${type}${bytes === undefined ? "" : ` ${bytes}`}${required ? " required" : ""}`,
      ),
      `  key ${primaryKey.join(", ")}`,
      ...uniqueKeys.map((key) => `  unique ${key.join(", ")}`),
      ...references.map(
        ({ columns: held, parent, parentColumns }) =>
          `  ${held.join(", ")} -> ${parent} (${parentColumns.join(", ")})`,
      ),
    ]),
    "",
    ...plan.relationships.map(
      ({ multiplicity, ends: [parent, child], optional }) =>
        `link ${parent.entity}.${child.role} ${signs[multiplicity]}${optional ? "?" : ""} ${child.entity}.${parent.role}`,
    ),
    ...plan.questions.flatMap((each) => (each.kind === "count" ? [] : [`ask ${each.text}`])),
    ...plan.renamed.map(({ line, what, from, to }) => `renamed ${line}: ${what} ${from} -> ${to}`),
    "",
    ...read.skipped.map(
      ({ line, lastLine, count, what, reason }) =>
        `skipped ${line}-${lastLine} x${count}: ${what} | ${reason}`,
    ),
    ...[...read.notes, ...plan.notes].map(({ line, text }) => `note ${line ?? "-"}: ${text}`),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
