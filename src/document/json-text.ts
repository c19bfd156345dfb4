/**
 * JSON text to an unknown value, with mistakes told by line and column.
 *
 * `JSON.parse` says where it stopped differently in every browser, or not at all, and silently drops
 * the first of two fields of the same name. The scanner here reads the text once for its form only;
 * it refuses exactly what `JSON.parse` refuses, and also duplicate names, absurd nesting, and the name
 * `__proto__`, which the schema would step over.
 */
import { anError, type Issue, type Result } from "#model/issue.ts";

/** Deeper than any file of ours; keeps the scanner's recursion within the stack. */
const deepest = 200;

/** The value of a JSON text, or what is wrong with the text. */
export function parseJson(text: string): Result<unknown> {
  // Editors on Windows put a byte-order mark first; JSON does not allow one.
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const scanner: Scanner = { text: plain, at: 0, depth: 0, badNames: [] };
  try {
    skipBlank(scanner);
    scanValue(scanner, "");
    skipBlank(scanner);
    if (scanner.at < plain.length) fail(scanner, "the end of the file");
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, issues: [syntaxIssue(plain, error)] };
  }
  if (scanner.badNames.length > 0) return { ok: false, issues: scanner.badNames };
  return { ok: true, value: JSON.parse(plain), warnings: [] };
}

/** Line and column of an offset, counted from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

interface Scanner {
  readonly text: string;
  at: number;
  depth: number;
  readonly badNames: Issue[];
}

/** Leaves the recursion where the text stops being JSON. */
class Stop extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

function fail(scanner: Scanner, wanted: string): never {
  const { text, at } = scanner;
  const found = text.codePointAt(at);
  const what = found === undefined ? "the file ends" : `there is ${quoted(found)}`;
  throw new Stop(at, `${wanted} should stand here, but ${what}`);
}

function quoted(codePoint: number): string {
  if (codePoint === 10 || codePoint === 13) return "the end of the line";
  if (codePoint < 32)
    return `the control character U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return `“${String.fromCodePoint(codePoint)}”`;
}

function syntaxIssue(text: string, stop: Stop): Issue {
  const { line, column } = lineAndColumn(text, stop.at);
  return anError(
    "",
    `The file is not valid JSON: line ${line}, column ${column}: ${stop.message}.`,
    "Correct the text there, or open another copy of the file.",
  );
}

function skipBlank(scanner: Scanner): void {
  while (" \t\n\r".includes(scanner.text[scanner.at] ?? "end")) scanner.at += 1;
}

function scanValue(scanner: Scanner, place: string): void {
  const first = scanner.text[scanner.at];
  if (first === "{") scanObject(scanner, place);
  else if (first === "[") scanList(scanner, place);
  else if (first === '"') scanString(scanner);
  else scanWord(scanner);
}

function scanObject(scanner: Scanner, place: string): void {
  const names = new Set<string>();
  scanItems(scanner, "}", () => {
    const start = scanner.at;
    if (scanner.text[start] !== '"') fail(scanner, "a field's name in double quotes");
    scanString(scanner);
    const name = JSON.parse(scanner.text.slice(start, scanner.at)) as string;
    const at = place === "" ? name : `${place}/${name}`;
    if (names.has(name)) scanner.badNames.push(duplicateIssue(scanner.text, start, at, name));
    if (name === "__proto__")
      scanner.badNames.push(anError(at, "“__proto__” cannot name anything.", "Rename it."));
    names.add(name);
    skipBlank(scanner);
    if (scanner.text[scanner.at] !== ":") fail(scanner, "a colon");
    scanner.at += 1;
    skipBlank(scanner);
    scanValue(scanner, at);
  });
}

function scanList(scanner: Scanner, place: string): void {
  let index = 0;
  scanItems(scanner, "]", () => {
    scanValue(scanner, `${place}/${index}`);
    index += 1;
  });
}

/** What stands between an opening bracket and `close`, separated by commas. */
function scanItems(scanner: Scanner, close: "}" | "]", scanItem: () => void): void {
  scanner.depth += 1;
  if (scanner.depth > deepest) throw new Stop(scanner.at, "the brackets are nested too deeply");
  scanner.at += 1;
  skipBlank(scanner);
  if (scanner.text[scanner.at] !== close) {
    scanItem();
    skipBlank(scanner);
    while (scanner.text[scanner.at] === ",") {
      scanner.at += 1;
      skipBlank(scanner);
      scanItem();
      skipBlank(scanner);
    }
    if (scanner.text[scanner.at] !== close) fail(scanner, `a comma or ${close}`);
  }
  scanner.at += 1;
  scanner.depth -= 1;
}

function scanString(scanner: Scanner): void {
  const { text } = scanner;
  const start = scanner.at;
  scanner.at += 1;
  for (;;) {
    const character = text[scanner.at];
    if (character === '"') break;
    if (character === undefined)
      throw new Stop(start, "the text that begins here has no closing double quote");
    if (character < " ") fail(scanner, "the rest of a text (use \\n for a new line)");
    if (character === "\\") scanEscape(scanner);
    else scanner.at += 1;
  }
  scanner.at += 1;
}

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function scanEscape(scanner: Scanner): void {
  if (!advance(scanner, escapeSequence))
    throw new Stop(scanner.at, 'a backslash must be followed by one of " \\ / b f n r t u');
}

const word = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function scanWord(scanner: Scanner): void {
  if (!advance(scanner, word)) fail(scanner, "a value");
}

/** Steps over what a sticky pattern matches here; false where it does not. */
function advance(scanner: Scanner, pattern: RegExp): boolean {
  pattern.lastIndex = scanner.at;
  if (!pattern.test(scanner.text)) return false;
  scanner.at = pattern.lastIndex;
  return true;
}

function duplicateIssue(text: string, offset: number, place: string, name: string): Issue {
  const { line, column } = lineAndColumn(text, offset);
  return anError(
    place,
    `“${name}” stands twice in the same object, the second time in line ${line}, column ${column}.`,
    "Remove or rename one of the two.",
  );
}
