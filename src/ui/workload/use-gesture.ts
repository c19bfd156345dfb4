/**
 * One gesture of the document's history as a component holds it: begun, shown, then kept or taken back.
 * What else ends it (undo, another edit, another gesture) is noticed, and nothing is shown any more.
 */
import { useEffect, useMemo } from "react";
import type { GestureCommand } from "#document/store.ts";
import type { Issue } from "#model/issue.ts";
import { type Studio, useStudio } from "../studio-state.ts";

export interface OwnGesture {
  readonly begin: (label: string) => void;
  /** Shows an intermediate document; returns what is wrong with it. Nothing without a gesture. */
  readonly preview: (command: GestureCommand) => readonly Issue[];
  /** Ends it, if it is still going on; returns whether it was. */
  readonly end: (how: "commit" | "cancel") => boolean;
  readonly isOn: () => boolean;
}

/** Leaving the component ends its gesture, and keeps what it showed or takes it back. */
export function useGesture(onLeaving: "commit" | "cancel"): OwnGesture {
  const studio = useStudio();
  const gesture = useMemo(() => gestureOf(studio), [studio]);
  useEffect(() => () => void gesture.end(onLeaving), [gesture, onLeaving]);
  return gesture;
}

function gestureOf({ documents }: Studio): OwnGesture {
  type Gesture = ReturnType<typeof documents.getState>["history"]["gesture"];
  let own: Gesture;
  const isOn = (): boolean => own !== undefined && documents.getState().history.gesture === own;
  return {
    isOn,
    begin: (label) => {
      documents.getState().begin(label);
      own = documents.getState().history.gesture;
    },
    preview: (command) => (isOn() ? documents.getState().preview(command) : []),
    end: (how) => {
      const was = isOn();
      own = undefined;
      if (was) documents.getState()[how]();
      return was;
    },
  };
}
