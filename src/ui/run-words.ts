/** Words and time of a run that is going on. */
import { useEffect, useState } from "react";

export const stageWords: Readonly<Record<string, string>> = {
  enumerate: "Proposing tables",
  plan: "Planning queries",
  cost: "Estimating costs",
  baselines: "Static schemas",
  tree: "Summary tree",
  formulate: "Writing the program",
  solve: "Solving",
  "settle ties": "Settling ties",
  check: "Checking the answer",
};

/** Seconds since `started`, twice a second. */
export function useElapsed(started: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(performance.now()), 500);
    return () => window.clearInterval(timer);
  }, []);
  return Math.max(0, now - started) / 1000;
}
