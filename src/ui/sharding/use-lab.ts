/**
 * The lab at work: asks the worker again a moment after anything changes, keeps the last answer on the screen
 * meanwhile, and can be stopped.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Issue } from "#model/issue.ts";
import type { KeyAdvice } from "#sharding/key-adviser.ts";
import { connectLab, type LabAnswer, type LabWork } from "#worker/lab-client.ts";

/** Milliseconds without a change before the worker is asked. */
const pause = 200;

export interface LabState {
  readonly answer: LabAnswer | undefined;
  readonly issues: readonly Issue[];
  /** Share done, 0 … 1, while the worker is at it. */
  readonly progress: number | undefined;
  readonly stop: () => void;
  readonly runAgain: () => void;
  readonly isStopped: boolean;
}

/** `undefined`: there is nothing to work on yet. */
export function useLab(work: LabWork | undefined): LabState {
  const [client] = useState(() => connectLab());
  useEffect(() => () => client.close(), [client]);
  const [answer, setAnswer] = useState<LabAnswer>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [progress, setProgress] = useState<number>();
  const [isStopped, setIsStopped] = useState(false);
  const runs = useRef(0);

  const run = useCallback(
    async (wanted: LabWork): Promise<void> => {
      runs.current += 1;
      const own = runs.current;
      setProgress(0);
      setIsStopped(false);
      const result = await client.run(wanted, (done) => {
        if (runs.current === own) setProgress(done);
      });
      if (runs.current !== own || !result) return;
      setProgress(undefined);
      setIssues(result.ok ? [] : result.issues);
      if (result.ok) setAnswer(result.value);
    },
    [client],
  );

  useEffect(() => {
    if (!work) return undefined;
    const timer = window.setTimeout(() => void run(work), pause);
    return () => window.clearTimeout(timer);
  }, [work, run]);

  const stop = useCallback((): void => {
    runs.current += 1;
    client.stop();
    setProgress(undefined);
    setIsStopped(true);
  }, [client]);

  const runAgain = useCallback((): void => {
    if (work) void run(work);
  }, [work, run]);

  return { answer, issues, progress, stop, runAgain, isStopped };
}

export interface AdviceState {
  readonly advice: readonly KeyAdvice[] | undefined;
  readonly issues: readonly Issue[];
  readonly progress: number | undefined;
}

/** Advice on the keys of one table; its own worker, so that it does not end a run. */
export function useAdvice(work: LabWork | undefined): AdviceState {
  const all = useMemo(() => (work ? [work] : []), [work]);
  const { advice, issues, progress } = useAdviceOn(all);
  return { advice: advice[0], issues, progress };
}

/** Advice on several tables, one after the other. */
export function useAdviceOn(works: readonly LabWork[]): {
  readonly advice: readonly (readonly KeyAdvice[])[];
  readonly issues: readonly Issue[];
  readonly progress: number | undefined;
} {
  const [client] = useState(() => connectLab());
  useEffect(() => () => client.close(), [client]);
  const [advice, setAdvice] = useState<readonly (readonly KeyAdvice[])[]>([]);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const [progress, setProgress] = useState<number>();
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      const found: (readonly KeyAdvice[])[] = [];
      for (const [index, work] of works.entries()) {
        const result = await client.advise(work, (done) => {
          if (!isOver) setProgress((index + done) / works.length);
        });
        if (isOver || !result) return;
        if (!result.ok) {
          setIssues(result.issues);
          break;
        }
        found.push(result.value);
      }
      setAdvice(found);
      setProgress(undefined);
    };
    setProgress(0);
    setIssues([]);
    const timer = window.setTimeout(() => void ask(), pause);
    return () => {
      isOver = true;
      window.clearTimeout(timer);
    };
  }, [client, works]);
  return { advice, issues, progress };
}
