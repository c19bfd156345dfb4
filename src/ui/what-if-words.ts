/** A what-if in words and figures: what the old tables cost now, and what looking for something better has come to. */
import type { Progress, Recommendation } from "#model/recommendation.ts";
import type { Recosted } from "#model/what-if.ts";
import { duration, perCent, signedPerCent } from "./design/format.ts";

/** A figure with what it is compared with. */
export interface WhatIfFigure {
  readonly name: string;
  readonly value: ReturnType<typeof duration>;
  /** Against what, in per cent; absent where there is nothing to compare with. */
  readonly against?: string;
}

export interface WhatIfWords {
  readonly figures: readonly WhatIfFigure[];
  /** What stands in the way of the old tables, in sentences. */
  readonly trouble: readonly string[];
}

/** `before`: milliseconds that the tables cost when they were found. */
export function oldTablesWords(recosted: Recosted, before: number): WhatIfWords {
  if (recosted.status === "impossible") return { figures: [], trouble: recosted.reasons };
  const { objective } = recosted.answer;
  return {
    figures: [
      {
        name: "The same tables now cost",
        value: duration(objective),
        against: `${signedPerCent(objective, before)} against ${duration(before).text} before`,
      },
    ],
    trouble: recosted.breaks,
  };
}

/** What a run that improves on the old tables has found so far. */
export function improvingWords(
  progress: Progress | undefined,
  oldCost: number | undefined,
): readonly WhatIfFigure[] {
  const { incumbent, bound, gap } = progress ?? {};
  const found =
    incumbent !== undefined && (oldCost === undefined || incumbent < oldCost * (1 - sameCost));
  return [
    ...(found
      ? [
          {
            name: "Best found so far",
            value: duration(incumbent),
            ...(oldCost !== undefined && { against: savingWords(oldCost, incumbent) }),
          },
        ]
      : []),
    ...(bound !== undefined && bound > 0
      ? [
          {
            name: "No answer costs less than",
            value: duration(bound),
            ...(gap !== undefined && Number.isFinite(gap) && { against: `gap ${perCent(gap)}` }),
          },
        ]
      : []),
  ];
}

/** What the answer is, after looking for something better than the old tables. */
export function improvedWords(
  { objective, bound, gap, status }: Recommendation,
  oldCost: number | undefined,
): readonly WhatIfFigure[] {
  const proof = status === "optimal" ? "proven optimal" : `within ${perCent(gap)} of the best`;
  const isSame = oldCost !== undefined && objective >= oldCost * (1 - sameCost);
  const saving = oldCost === undefined ? "" : `${savingWords(oldCost, objective)}; `;
  return [
    ...(oldCost === undefined
      ? []
      : [{ name: "The old tables cost now", value: duration(oldCost) }]),
    {
      name: isSame ? "Nothing better than the same tables" : "Improved answer",
      value: duration(objective),
      against: isSame ? proof : `${saving}${proof}`,
    },
    ...(status === "optimal"
      ? []
      : [{ name: "No answer costs less than", value: duration(bound) }]),
  ];
}

/** Costs are sums that are exact to about this share. */
const sameCost = 1e-9;

function savingWords(oldCost: number, cost: number): string {
  return `saves ${duration(oldCost - cost).text} (${perCent((oldCost - cost) / oldCost)})`;
}
