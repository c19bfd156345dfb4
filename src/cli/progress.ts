/**
 * How far a run is, on stderr: a bar where somebody watches, else a line when something new happens.
 *
 * The bar is coarse. Enumeration cannot be foretold and a solve ends when its proof does, so each stage
 * has a fixed share; the baselines and the solve's gap move it within theirs.
 */
import type { Progress } from "#model/recommendation.ts";
import { duration, perCent } from "./figures.ts";
import type { Terminal } from "./terminal.ts";

export interface ProgressDisplay {
  readonly show: (progress: Progress) => void;
  /** Takes the bar away. */
  readonly end: () => void;
}

export function progressDisplay(terminal: Terminal): ProgressDisplay {
  return terminal.columns === undefined ? lines(terminal) : bar(terminal, terminal.columns);
}

/** From where to where the bar goes in a stage, in shares of the whole. */
const stretch: Readonly<Record<Progress["stage"], readonly [number, number]>> = {
  enumerate: [0, 0.05],
  plan: [0.05, 0.15],
  cost: [0.15, 0.2],
  baselines: [0.2, 0.5],
  tree: [0.5, 0.55],
  formulate: [0.5, 0.55],
  solve: [0.55, 0.9],
  "settle ties": [0.9, 0.97],
  check: [0.97, 1],
};

const cells = 20;
/** Seconds between two drawings of the bar, and between two lines about better answers. */
const between = { bar: 0.1, line: 2 };

function bar({ err, now }: Terminal, columns: number): ProgressDisplay {
  const began = now();
  let drawn = Number.NEGATIVE_INFINITY;
  let stage: Progress["stage"] | undefined;
  return {
    show: (progress) => {
      const time = now();
      if (progress.stage === stage && time - drawn < between.bar) return;
      stage = progress.stage;
      drawn = time;
      const full = Math.round(shareDone(progress) * cells);
      const picture = `${"█".repeat(full)}${"░".repeat(cells - full)}`;
      const words = [progress.message, ...figuresOf(progress), duration((time - began) * 1000)];
      err(`\r\u001b[K${[...`${picture} ${words.join(" · ")}`].slice(0, columns - 1).join("")}`);
    },
    end: () => {
      if (stage !== undefined) err("\r\u001b[K");
    },
  };
}

function lines({ err, now }: Terminal): ProgressDisplay {
  let told = Number.NEGATIVE_INFINITY;
  let stage: Progress["stage"] | undefined;
  return {
    show: (progress) => {
      const time = now();
      if (progress.stage === stage && time - told < between.line) return;
      stage = progress.stage;
      told = time;
      err(`tidetable: ${[progress.message, ...figuresOf(progress)].join(" · ")}\n`);
    },
    end: () => undefined,
  };
}

function shareDone({ stage, counts, gap }: Progress): number {
  const [from, to] = stretch[stage];
  const { done, all } = counts;
  if ((stage === "baselines" || stage === "tree") && done !== undefined && all)
    return from + (to - from) * (done / all);
  if (stage === "solve" && gap !== undefined) return from + (to - from) * (1 - gap);
  return from;
}

/** What is known: candidates and plans at first, then the best answer and its gap. */
function figuresOf({ counts, incumbent, gap }: Progress): string[] {
  if (incumbent !== undefined)
    return [`best ${duration(incumbent)}`, ...(gap === undefined ? [] : [`gap ${perCent(gap)}`])];
  const { candidates, plans } = counts;
  return [
    ...(candidates === undefined ? [] : [`${candidates} candidates`]),
    ...(plans === undefined ? [] : [`${plans} plans found`]),
  ];
}
