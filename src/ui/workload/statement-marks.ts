/** A statement's text cut into pieces for the editor: words of the language, values, names, and what is wrong. */
import type { Issue } from "#model/issue.ts";

export interface Piece {
  readonly text: string;
  readonly kind: "keyword" | "value" | "plain";
  readonly wrong?: "error" | "warning";
}

const keywords = new Set(
  (
    "select from where and order by group limit asc desc between in count sum min max avg insert " +
    "into set update delete connect disconnect to join on as inner"
  ).split(" "),
);

/** The pieces, in order; together they are the text again. */
export function statementPieces(text: string, issues: readonly Issue[]): readonly Piece[] {
  const cuts = new Set<number>([0, text.length]);
  const tokens = [
    ...text.matchAll(/'[^']*'?|:[\p{L}_]\w*|\?|\d+(\.\d+)?|[\p{L}_][\p{L}\p{N}_]*/gu),
  ];
  const kinds = new Map<number, { readonly end: number; readonly kind: Piece["kind"] }>();
  for (const token of tokens) {
    const kind = kindOf(token[0], text[token.index - 1]);
    const end = token.index + token[0].length;
    cuts.add(token.index).add(end);
    kinds.set(token.index, { end, kind });
  }
  const spans = issues.flatMap(({ span, severity }) =>
    span ? [{ ...visible(span, text), severity }] : [],
  );
  for (const { start, end } of spans) cuts.add(start).add(end);
  const sorted = [...cuts].filter((cut) => cut >= 0 && cut <= text.length).sort((a, b) => a - b);
  let current: { readonly end: number; readonly kind: Piece["kind"] } | undefined;
  return sorted.slice(0, -1).map((start, index) => {
    const end = sorted[index + 1] ?? text.length;
    current = kinds.get(start) ?? (current && start < current.end ? current : undefined);
    const wrong = spans.filter((span) => span.start <= start && span.end >= end);
    const severity = wrong.some((span) => span.severity === "error") ? "error" : wrong[0]?.severity;
    return {
      text: text.slice(start, end),
      kind: current?.kind ?? "plain",
      ...(severity && { wrong: severity }),
    };
  });
}

function kindOf(token: string, before: string | undefined): Piece["kind"] {
  if (/^['?:\d]/.test(token)) return "value";
  return before !== "." && keywords.has(token.toLowerCase()) ? "keyword" : "plain";
}

/** A span of no width (something is missing) marks the character before it. */
function visible(
  { start, end }: { readonly start: number; readonly end: number },
  text: string,
): { readonly start: number; readonly end: number } {
  if (end > start) return { start, end: Math.min(end, text.length) };
  const at = Math.min(start, text.length);
  return at === 0 ? { start: 0, end: Math.min(1, text.length) } : { start: at - 1, end: at };
}

/** Line and column of a place in the text, counted from 1. */
export function lineAndColumn(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
