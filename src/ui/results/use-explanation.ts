/** Asks the engine for an explanation while a component is shown, and gives it up when it goes. */
import { useEffect, useRef, useState } from "react";
import type { Explained } from "#model/explanation.ts";
import type { EngineClient, ExplainRequest } from "#worker/client.ts";
import { type Answer, useStudio } from "../studio-state.ts";
import { searchSeconds } from "./why-words.ts";

export type Explaining<T> =
  | { readonly state: "asked"; readonly searches: number }
  | { readonly state: "told"; readonly told: T }
  | { readonly state: "untold"; readonly reason: string };

type Ask<T> = (
  engine: EngineClient,
  request: ExplainRequest,
  onSearch: (done: number) => void,
) => Promise<Explained<T>>;

/** `ask` is called once for every answer; what else it asks for must be in the component's key. */
export function useExplanation<T extends object>(answer: Answer, ask: Ask<T>): Explaining<T> {
  const { engine } = useStudio();
  const { problem, recommendation } = answer;
  const [explaining, setExplaining] = useState<Explaining<T>>({ state: "asked", searches: 0 });
  const latestAsk = useRef(ask);
  useEffect(() => {
    if (!problem) {
      setExplaining({
        state: "untold",
        reason:
          "The project has changed since this answer was found. Press Optimise, then ask again.",
      });
      return undefined;
    }
    let current = true;
    let pending = true;
    setExplaining({ state: "asked", searches: 0 });
    const request = { problem, answer: recommendation, timeLimitSeconds: searchSeconds };
    const onSearch = (searches: number): void => {
      if (current && pending) setExplaining({ state: "asked", searches });
    };
    void latestAsk.current(engine, request, onSearch).then((answered) => {
      pending = false;
      if (!current) return;
      setExplaining(
        "reason" in answered
          ? { state: "untold", reason: answered.reason }
          : { state: "told", told: answered },
      );
    });
    return () => {
      current = false;
      if (pending) engine.stopExplaining();
    };
  }, [engine, problem, recommendation]);
  return explaining;
}
