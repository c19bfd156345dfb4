/** The list of what was left out: consecutive parts of one kind are one entry, and a flood is counted. */
import type { SkippedPart } from "#model/imported-schema.ts";

/** Entries that are told one by one. */
const mostTold = 1000;

export interface SkippedList {
  /** `kind` groups neighbours; without it only equal reasons are grouped. */
  readonly add: (
    line: number,
    lastLine: number,
    what: string,
    reason: string,
    kind?: string,
  ) => void;
  /** In the order of their lines. */
  readonly all: () => readonly SkippedPart[];
}

export function skippedList(): SkippedList {
  const parts: (SkippedPart & { readonly kind: string })[] = [];
  return {
    add: (line, lastLine, what, reason, kind = what) => {
      const last = parts.at(-1);
      if (last?.kind === kind && last.reason === reason)
        parts[parts.length - 1] = { ...last, lastLine, count: last.count + 1 };
      else parts.push({ line, lastLine, count: 1, what, reason, kind });
    },
    all: () => {
      const sorted = parts.sort((a, b) => a.line - b.line).map(({ kind: _, ...part }) => part);
      const rest = sorted.slice(mostTold);
      const [first] = rest;
      if (!first) return sorted;
      const count = rest.reduce((sum, part) => sum + part.count, 0);
      const lastLine = Math.max(...rest.map((part) => part.lastLine));
      const reason = `${count} more parts are skipped from here on; these are not listed`;
      return [...sorted.slice(0, mostTold), { ...first, lastLine, count, reason }];
    },
  };
}
