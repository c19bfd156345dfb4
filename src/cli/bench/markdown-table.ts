/** A table in Markdown; the first column holds words, the others figures. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = heads.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(heads), line(rule), ...rows.map(line)];
}
