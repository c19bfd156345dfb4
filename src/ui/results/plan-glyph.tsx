/** A materialised-view plan is filled, a join plan hollow. */
import type { PlanKind } from "./plan-rows.ts";

export function PlanGlyph({ kind }: { readonly kind: PlanKind }) {
  return (
    <svg
      className={kind === "join" ? "plan-glyph join" : "plan-glyph view"}
      width="11"
      height="11"
      viewBox="0 0 11 11"
      role="img"
      aria-label={kind}
    >
      <title>
        {kind === "join"
          ? "join plan: several Gets, joined in the application"
          : "materialised-view plan: one Get answers the query"}
      </title>
      <circle cx="5.5" cy="5.5" r="4.2" />
    </svg>
  );
}
