/**
 * Tables of text from files and spreadsheets: comma, semicolon or tab between cells, quotes where
 * needed. Decides that empty lines and lines that begin with `#` are no rows, and promises the line of
 * every row, counted from 1, also after cells that hold line breaks.
 */
import Papa from "papaparse";
import { anError, type Result } from "#model/issue.ts";

export interface CsvRow {
  /** Line on which the row begins, counted from 1. */
  readonly line: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

/**
 * The rows of a text, the head row included; refuses quotes that are never closed. What stands between
 * cells is guessed where nobody knows it (`delimiter`).
 */
export function readCsv(text: string, delimiter = ""): Result<readonly CsvRow[]> {
  const { data, errors } = Papa.parse(text.replace(/^\ufeff/, "").replaceAll(/\r\n?/g, "\n"), {
    newline: "\n",
    delimiter,
    delimitersToGuess: [",", "\t", ";"],
    skipEmptyLines: false,
  });
  let line = 1;
  const rows = data.map((cells): CsvRow => {
    const row = { line, cells: cells.map((cell) => cell.trim()) };
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
    return row;
  });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken)
    return {
      ok: false,
      issues: [
        anError(
          `line ${rows[broken.row ?? 0]?.line ?? 1}`,
          "A quotation mark opens or closes in the wrong place.",
          'Put “"” around a whole cell and write it twice inside one, or leave it out.',
        ),
      ],
    };
  const isRow = ({ cells }: CsvRow): boolean =>
    cells.some((cell) => cell !== "") && !cells[0]?.startsWith("#");
  return { ok: true, value: rows.filter(isRow), warnings: [] };
}
