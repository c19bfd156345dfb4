/** Which commands a few words ask for, the likeliest first. */
import type { StudioCommand } from "./studio-commands.ts";

/** More are not listed; another word narrows them down. */
export const mostListed = 60;

/** Possible commands that hold every word; a word may be any part, and its beginning counts most. */
export function matchingCommands(
  commands: readonly StudioCommand[],
  query: string,
): readonly StudioCommand[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean);
  return commands
    .filter(({ isPossible }) => isPossible !== false)
    .flatMap((command, at) => {
      const text = plain(`${command.words} ${command.group}`);
      const distances = wanted.map((word) => distance(text, word));
      const far = distances.reduce<number>((sum, each) => sum + (each ?? 0), 0);
      return distances.includes(undefined) ? [] : [{ command, at, far }];
    })
    .sort((a, b) => a.far - b.far || a.at - b.at)
    .slice(0, mostListed)
    .map(({ command }) => command);
}

/** How far a word is from being what the text begins with; undefined where it is not in it. */
function distance(text: string, word: string): number | undefined {
  if (text.startsWith(word)) return 0;
  if (text.includes(` ${word}`)) return 1;
  return text.includes(word) ? 3 : undefined;
}

/** Without capitals, accents and marks. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
