/** What an answer found earlier comes to when frequencies, limits or pins have been edited since. */
import type { Recommendation } from "./recommendation.ts";

/** The same tables, plans and migrations under the workload as it is now; or why they cannot serve it. */
export type Recosted =
  | {
      readonly status: "recosted";
      /** Costs are those of the workload now. Nothing is proven of it: its bound is 0. */
      readonly answer: Recommendation;
      /** Limits, pins and bans as they are now that it does not respect, in words. */
      readonly breaks: readonly string[];
    }
  | { readonly status: "impossible"; readonly reasons: readonly string[] };
