/**
 * The plan group of a query as a tree: the chosen path lit, every Get with n, w, s and its cost, the
 * application's work after it. The group is fetched when it is looked at; until then, and where it
 * cannot be had, the plans of the answer stand in.
 */
import { Fragment, useCallback, useEffect, useMemo, useState } from "react";
import type { ColumnFamily } from "#model/column-family.ts";
import type { ApplicationStep, GetStep, QueryPlan } from "#model/plan.ts";
import { columnText } from "#model/query-graph.ts";
import { isQuery, type Query, type Statement } from "#model/statement.ts";
import type { PlanGroup } from "#worker/client.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { bytes, count, duration, exactNumber, plural, threeDigits } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { useSidePanel } from "../design/side-panel.ts";
import { type Answer, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";
import {
  familiesFor,
  getNotes,
  type PlanTreeRow,
  planLetters,
  planTreeRows,
  type ReadPlans,
} from "./plan-rows.ts";
import { WhyNotThisPlan } from "./why-plan.tsx";

const cheapestShown = 8;
const moreShown = 20;

export interface PlanGroupViewProps {
  readonly answer: Answer;
  readonly index: AnswerIndex;
  readonly reads: ReadPlans;
  /** What the plans answer, for those who cannot see it above. */
  readonly label: string;
  readonly step: number;
  readonly labels: readonly string[] | undefined;
  /** Whether a plan that is not chosen can be asked about. */
  readonly explained?: boolean;
  /** How many plans beside the used ones are shown at first. */
  readonly cheapest?: number;
}

export function PlanGroupView(props: PlanGroupViewProps) {
  const { answer, index, reads, label, step, labels, cheapest = cheapestShown } = props;
  const { explained = false } = props;
  const [limit, setLimit] = useState(cheapest);
  const { recommendation } = answer;
  const letters = useMemo(() => planLetters(reads), [reads]);
  const used = useMemo(
    () => recommendation.plans.filter((plan) => letters.has(plan.key)),
    [recommendation, letters],
  );
  const { group, note } = usePlanGroup(answer, reads.statement, limit + used.length);
  const plans = useMemo(() => {
    const known = new Set(used.map(({ key }) => key));
    return [...used, ...(group?.plans ?? []).filter(({ key }) => !known.has(key))];
  }, [group, used]);
  const families = useMemo(() => familiesFor(index, group?.columnFamilies ?? []), [index, group]);
  const chosen = reads.perStep[step];
  const shown = useMemo(
    () => planTreeRows(plans, letters, chosen, limit),
    [plans, letters, chosen, limit],
  );
  // An explanation is of one step; it goes when the cursor moves on.
  const [asked, setAsked] = useState<{ readonly plan: string; readonly step: number }>();
  const close = useCallback(() => setAsked(undefined), []);
  const open = asked?.step === step && chosen !== undefined ? asked.plan : undefined;
  const { remember } = useSidePanel(open !== undefined, close);
  const canAsk = explained && chosen !== undefined;
  const query = queryOf(index.statements.get(reads.statement)) ?? group?.query;
  const total = group?.total ?? used.length;
  const rest = total - shown.shown;
  return (
    <div className="plan-group">
      <p className="quiet small" role="status">
        {note ??
          `${plural(total, "plan")} can answer this query${rest > 0 ? `; the cheapest ${shown.shown} are shown` : ""}.`}
      </p>
      <div className="table-scroll">
        <table className="plan-tree">
          <caption className="visually-hidden">Plans of {label}</caption>
          <thead>
            <tr>
              <th scope="col">Get</th>
              <th scope="col" title="n: expected number of Gets per execution">
                n Gets
              </th>
              <th scope="col" title="w: expected rows that all Gets of this step return together">
                w rows
              </th>
              <th scope="col" title="s: bytes of a returned row">
                s per row
              </th>
              <th scope="col" title="T(n, w, s): latency of this step per execution">
                Cost
              </th>
              <th scope="col" title="Latency of the whole plan per execution">
                Whole plan
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.rows.map((each) => (
              <Fragment key={each.id}>
                <TreeRow
                  row={each}
                  family={families.get(each.family)}
                  tag={index.tags.get(each.family)}
                  query={query}
                  isChosen={each.plan !== undefined && each.plan.key === chosen}
                  isAsked={each.plan !== undefined && each.plan.key === open}
                  onAsk={
                    canAsk
                      ? (plan) => {
                          remember();
                          setAsked(plan === open ? undefined : { plan, step });
                        }
                      : undefined
                  }
                />
                {each.plan && each.plan.key === open && (
                  <tr>
                    <td colSpan={6} className="why-cell">
                      <WhyNotThisPlan
                        answer={answer}
                        index={index}
                        plan={each.plan}
                        step={step}
                        labels={labels}
                        onClose={close}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 && (
        <button type="button" className="button small" onClick={() => setLimit(limit + moreShown)}>
          {rest <= moreShown ? `Show the other ${rest}` : `Show ${moreShown} more of ${rest}`}
        </button>
      )}
    </div>
  );
}

function queryOf(statement: Statement | undefined): Query | undefined {
  return statement && isQuery(statement) ? statement : undefined;
}

interface FoundGroup {
  readonly group?: PlanGroup;
  /** Why there are no other plans to be seen, or not yet. */
  readonly note?: string;
}

/** The plans of a group, as many as are wanted; those shown before stay until the next have come. */
function usePlanGroup(answer: Answer, statement: string, most: number): FoundGroup {
  const { engine } = useStudio();
  const { problem } = answer;
  const [found, setFound] = useState<FoundGroup>({
    note: "Looking for the other plans of this query…",
  });
  useEffect(() => {
    if (!problem) {
      setFound({
        note: "The project has changed since this answer was found: only the plans it uses are shown.",
      });
      return undefined;
    }
    let current = true;
    void engine.planGroup(problem, statement, most).then((answered) => {
      if (!current) return;
      setFound(
        "reason" in answered
          ? { note: `The other plans cannot be shown: ${answered.reason}` }
          : { group: answered },
      );
    });
    return () => {
      current = false;
    };
  }, [engine, problem, statement, most]);
  return found;
}

function TreeRow(props: {
  readonly row: PlanTreeRow;
  readonly family: ColumnFamily | undefined;
  readonly tag: string | undefined;
  readonly query: Query | undefined;
  readonly isChosen: boolean;
  readonly isAsked: boolean;
  readonly onAsk: ((plan: string) => void) | undefined;
}) {
  const { row, family, tag, query, isChosen, isAsked, onAsk } = props;
  const highlighted = useHighlighted(row.family);
  const { get } = row;
  const classes = ["tree-row", row.lit && "lit", highlighted && "highlighted"];
  return (
    <tr className={classes.filter(Boolean).join(" ")} {...highlightHandlers(row.family)}>
      <td aria-label={`Get ${row.depth + 1}`}>
        <div className="tree-cell">
          <Connectors row={row} />
          <div className="tree-content">
            {tag !== undefined && <span className="tag">{tag}</span>}
            {family ? <FamilyLine family={family} /> : <span className="mono">{row.family}</span>}
            {get &&
              getNotes(get).map((note) => (
                <span key={note} className="tag server-note">
                  {note}
                </span>
              ))}
            {row.then.map((step) => (
              <ApplicationLine key={step.kind} step={step} query={query} />
            ))}
            {row.plan && !isChosen && onAsk && (
              <WhyNotButton plan={row.plan} isAsked={isAsked} onAsk={onAsk} />
            )}
          </div>
        </div>
      </td>
      {get ? <GetFigures get={get} /> : <td colSpan={4} />}
      <td>
        {row.plan && (
          <span className="plan-end" title={duration(row.plan.cost).exact}>
            {row.kind && <PlanGlyph kind={row.kind} />}
            {row.letter !== undefined && <span className="tag letter">{row.letter}</span>}
            <strong>{duration(row.plan.cost).text}</strong>
            {isChosen && <span className="visually-hidden">chosen at this step</span>}
          </span>
        )}
      </td>
    </tr>
  );
}

function WhyNotButton(props: {
  readonly plan: QueryPlan;
  readonly isAsked: boolean;
  readonly onAsk: (plan: string) => void;
}) {
  const { plan, isAsked, onAsk } = props;
  return (
    <button
      type="button"
      className="link-button small why-not"
      aria-expanded={isAsked}
      onClick={() => onAsk(plan.key)}
    >
      Why not this plan?
    </button>
  );
}

function GetFigures({ get }: { readonly get: GetStep }) {
  return (
    <>
      <td title={exactNumber(get.gets)}>{threeDigits(get.gets)}</td>
      <td title={count(get.rows, "rows").exact}>{threeDigits(get.rows)}</td>
      <td title={bytes(get.bytesPerRow).exact}>{bytes(get.bytesPerRow).text}</td>
      <td title={duration(get.cost).exact}>{duration(get.cost).text}</td>
    </>
  );
}

function Connectors({ row }: { readonly row: PlanTreeRow }) {
  return (
    <span className="connectors" aria-hidden="true">
      {row.lines.slice(1).map((runsOn, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one per depth.
        <i key={index} className={runsOn ? "line" : "blank"} />
      ))}
      {row.depth > 0 && <i className={row.isLast ? "corner" : "branch"} />}
    </span>
  );
}

function ApplicationLine(props: {
  readonly step: ApplicationStep;
  readonly query: Query | undefined;
}) {
  const { step, query } = props;
  return (
    <span className="application-step small">
      then in the application: {applicationWords(step, query)}{" "}
      <span className="quiet">
        ({count(step.rows, "rows").text}
        {step.kind === "filter" && `, ${count(step.left, "left").text}`}, {duration(step.cost).text}
        )
      </span>
    </span>
  );
}

function applicationWords(step: ApplicationStep, query: Query | undefined): string {
  switch (step.kind) {
    case "filter": {
      const columns = query
        ? step.predicates.flatMap((index) => {
            const predicate = query.predicates[index];
            return predicate ? [columnText(query.graph, predicate.column)] : [];
          })
        : [];
      return columns.length > 0 ? `filter on ${columns.join(", ")}` : "filter";
    }
    case "sort":
      return "sort";
    case "group":
      return "group";
    case "limit":
      return `keep the first ${step.limit}`;
  }
}
