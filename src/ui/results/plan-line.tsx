/** A plan in a line or few: its kind, and the tables in the order in which they are read. */
import type { ColumnFamily, ColumnFamilyKey } from "#model/column-family.ts";
import { planKind, type QueryPlan } from "#model/plan.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { duration } from "../design/format.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";

export function PlanLine(props: {
  readonly plan: QueryPlan | undefined;
  readonly families: ReadonlyMap<ColumnFamilyKey, ColumnFamily>;
  readonly index: AnswerIndex;
}) {
  const { plan, families, index } = props;
  if (!plan) return null;
  return (
    <ol className="plan-line">
      {plan.columnFamilies.map((key, position) => {
        const family = families.get(key);
        const tag = index.tags.get(key);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a table may be read twice.
          <li key={position}>
            {position === 0 ? (
              <PlanGlyph kind={planKind(plan)} />
            ) : (
              <span className="quiet">⋈</span>
            )}{" "}
            {tag !== undefined && <span className="tag">{tag}</span>}{" "}
            {family ? <FamilyLine family={family} /> : <span className="mono">{key}</span>}
          </li>
        );
      })}
      <li className="quiet small" title={duration(plan.cost).exact}>
        {duration(plan.cost).text} per execution
      </li>
    </ol>
  );
}
