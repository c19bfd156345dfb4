/**
 * The auction under other curves than the example's own: its four published mixes (browsing, bidding,
 * storing ten and a hundred times as often) are steps 1, 4, 6 and 8 of the example.
 */

interface AuctionFile {
  readonly name: string;
  readonly timeline: { readonly steps: number; readonly stepSeconds: number };
  readonly frequencies: Readonly<Record<string, readonly number[]>>;
  readonly settings: object;
}

const mixSteps = [0, 3, 5, 7] as const;

/** Ten steps from the first mix to the last in a straight line from each to the next: no two alike. */
export function publishedMixes(file: unknown, steps = 10): unknown {
  const last = mixSteps.length - 1;
  return underMixes(
    file,
    `published mixes over ${steps} steps`,
    Array.from({ length: steps }, (_, t) => (t * last) / Math.max(steps - 1, 1)),
  );
}

/** Twenty steps in two regimes, five steps each, twice: browsing, then storing ten times as often. */
export function twoRegimes(file: unknown, steps = 20): unknown {
  return underMixes(
    file,
    `two regimes over ${steps} steps`,
    Array.from({ length: steps }, (_, t) => (Math.floor((4 * t) / steps) % 2 === 0 ? 0 : 2)),
  );
}

/** The file with one step per place between the mixes; 1.5 lies half-way from the second to the third. */
function underMixes(file: unknown, what: string, places: readonly number[]): unknown {
  const document = file as AuctionFile;
  const at = (curve: readonly number[], place: number): number => {
    const below = Math.floor(place);
    const mix = (which: number): number => curve[mixSteps[which] ?? 0] ?? 0;
    const share = place - below;
    return Number(((1 - share) * mix(below) + share * mix(Math.ceil(place))).toPrecision(9));
  };
  return {
    ...document,
    name: `${document.name}: ${what}`,
    timeline: { steps: places.length, stepSeconds: document.timeline.stepSeconds },
    frequencies: Object.fromEntries(
      Object.entries(document.frequencies).map(([id, curve]) => [
        id,
        places.map((place) => at(curve, place)),
      ]),
    ),
  };
}
