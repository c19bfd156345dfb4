/** The hand-made hotel as the summary tree could have found it: a root over six steps and its three nodes below. */
import type { Recommendation, SummaryTree } from "#model/recommendation.ts";
import { families, recommendation } from "./hotel-specimen.ts";

const keys = (t: number): readonly string[] => recommendation.steps[t]?.schema ?? [];
const stepSeconds = 14_400;
/** What the node over the second half would rather have at step 4, and the answer does not. */
const other = [...keys(3), families.arrivalIds.key];

const tree: SummaryTree = {
  nodes: [
    {
      first: 0,
      last: 5,
      steps: [0, 2, 5],
      stepSeconds: 2 * stepSeconds,
      inherited: [],
      schemas: [keys(0), keys(2), keys(5)],
      objective: 17.1e6,
      proven: true,
    },
    {
      parent: 0,
      first: 0,
      last: 2,
      steps: [0, 1, 2],
      stepSeconds,
      inherited: [0, 2],
      schemas: [keys(0), keys(1), keys(2)],
      objective: 7.2e6,
      proven: true,
    },
    {
      parent: 0,
      first: 2,
      last: 5,
      steps: [2, 3, 5],
      stepSeconds: (4 / 3) * stepSeconds,
      inherited: [2, 5],
      schemas: [keys(2), other, keys(5)],
      objective: 9.9e6,
      proven: false,
    },
    {
      parent: 2,
      first: 3,
      last: 5,
      steps: [3, 4, 5],
      stepSeconds,
      inherited: [3, 5],
      schemas: [other, keys(4), keys(5)],
      objective: 7.4e6,
      proven: true,
    },
  ],
  candidates: [...new Set([...keys(0), ...keys(2), ...other])],
};

export const byTree: Recommendation = {
  ...recommendation,
  seconds: {
    ...recommendation.seconds,
    "tree node 1": 0.42,
    "tree node 2": 0.11,
    "tree node 3": 12.4,
  },
  summaryTree: tree,
};
