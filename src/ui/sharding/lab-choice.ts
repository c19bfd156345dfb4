/** What is looked at in the lab, beyond what the document keeps; it outlasts a visit to another room. */
import { useState } from "react";
import { type Studio, useStudio } from "../studio-state.ts";

export interface OwnText {
  readonly name: string;
  readonly records: string;
  readonly requests?: string;
  readonly requestsName?: string;
  readonly key?: readonly string[];
}

export type LabView = "nodes" | "time" | "ring" | "keys" | "figures";

export interface LabChoice {
  readonly view: LabView;
  /** A column family of the answer by its key; absent: the entity that the document names. */
  readonly family?: string;
  readonly own?: OwnText;
  /** Own records are loaded, and looked at. */
  readonly usesOwn: boolean;
  /** Which step of the story is told; absent: none. */
  readonly story?: number;
  readonly records: number;
  readonly requests: number;
  readonly seed: number;
}

const fresh: LabChoice = {
  view: "nodes",
  usesOwn: false,
  records: 100_000,
  requests: 200_000,
  seed: 1,
};

const kept = new WeakMap<Studio, { readonly project: string; readonly choice: LabChoice }>();

/** The choice, and a way to change a part of it; a project that has a story begins with it. */
export function useLabChoice(
  project: string,
  hasStory: boolean,
): readonly [LabChoice, (change: (choice: LabChoice) => LabChoice) => void] {
  const studio = useStudio();
  const [state, setState] = useState(() => {
    const last = kept.get(studio);
    if (last?.project === project) return last;
    return { project, choice: hasStory ? { ...fresh, story: 0 } : fresh };
  });
  // Another project is open: what was looked at in the old one says nothing here.
  const own =
    state.project === project
      ? state
      : { project, choice: hasStory ? { ...fresh, story: 0 } : fresh };
  const change = (next: (choice: LabChoice) => LabChoice): void => {
    const changed = { project, choice: next(own.choice) };
    kept.set(studio, changed);
    setState(changed);
  };
  return [own.choice, change];
}
