/** A table of text with aligned columns, two spaces between them. */

export interface TextColumn {
  readonly head: string;
  readonly align: "left" | "right";
}

/** Lines of the table, indented; a column without any text is left out. */
export function textTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = columns.map(({ head }, index) =>
    Math.max(width(head), ...rows.map((row) => width(row[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? "";
        const padding = " ".repeat((widths[index] ?? 0) - width(cell));
        return align === "right" ? padding + cell : cell + padding;
      })
      .filter((_, index) => (widths[index] ?? 0) > 0)
      .join("  ")
      .trimEnd();
  const heads = columns.map(({ head }) => head);
  return [...(heads.some(Boolean) ? [line(heads)] : []), ...rows.map(line)].map(
    (text) => `  ${text}`,
  );
}

/** Characters that stand side by side; combining marks take no place of their own. */
function width(text: string): number {
  return [...text.replaceAll(/\p{M}/gu, "")].length;
}
