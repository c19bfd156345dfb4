/** Finding the name that is meant: case forgiven where it leaves no doubt, slips of the hand suggested. */

/** The name among `names` that is meant: the exact one, or the only one that differs in case alone. */
export function matchName(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const similar = names.filter((each) => each.toLowerCase() === name.toLowerCase());
  return similar.length === 1 ? similar[0] : undefined;
}

/** The closest of `names`, if it is close enough to be meant. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const each of names) {
    if (Math.abs(each.length - name.length) >= least) continue;
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    // A word of which nothing is left is not misspelt but another word.
    if (distance < least && distance < each.length) {
      best = each;
      least = distance;
    }
  }
  return best;
}

/** “Did you mean …?”, or what there is to say `otherwise`. */
export function suggestion(name: string, names: readonly string[], otherwise: string): string {
  const meant = nearest(name, names);
  return meant === undefined ? otherwise : `Did you mean ${meant}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that make one word the other. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number =>
    rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
