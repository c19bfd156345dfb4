/** How evenly the tables of an answer spread over the cluster that is set up in the lab; it follows that at once. */
import { useMemo } from "react";
import { idsByName } from "#document/schema.ts";
import type { AnswerBalance } from "#model/recommendation.ts";
import { defaultCluster } from "#model/sharding-setup.ts";
import { answerBalance } from "#sharding/family-balance.ts";
import { type Answer, useDocument } from "../studio-state.ts";

/** Unknown for a stale answer that was found on loading: the problem that it answers is gone. */
export function useBalance({ problem, recommendation }: Answer): AnswerBalance | undefined {
  const sharding = useDocument((document) => document.sharding);
  const entities = useDocument((document) => document.entities);
  return useMemo(() => {
    if (!problem) return undefined;
    const design = {
      problem,
      setup: sharding,
      ids: idsByName({ entities }),
      answer: recommendation,
    };
    return answerBalance(design, sharding?.cluster ?? defaultCluster);
  }, [problem, recommendation, sharding, entities]);
}
