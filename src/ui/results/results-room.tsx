/** The Results room: the answer in a line, then over time, as a schema, and as plans. */
import { useEffect, useMemo } from "react";
import type { AnswerBalance, Recommendation } from "#model/recommendation.ts";
import { bytes, clock, duration, perCent, plural, signedPerCent } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { Tabs } from "../design/tabs.tsx";
import { download, fileName } from "../download.ts";
import type { ResultView } from "../session.ts";
import {
  type Answer,
  check,
  optimise,
  useChecked,
  useDocument,
  useIsStale,
  useRun,
  useSession,
  useStudio,
} from "../studio-state.ts";
import { WhatIfPanel } from "../what-if-panel.tsx";
import { answerIndex } from "./answer-index.ts";
import { AnswerNotes } from "./answer-notes.tsx";
import { headline } from "./cost-rows.ts";
import { PlansView } from "./plans-view.tsx";
import { SchemaView } from "./schema-view.tsx";
import { TimeView } from "./time-view.tsx";
import { TreeView } from "./tree-view.tsx";
import { useBalance } from "./use-balance.ts";
import "./results.css";

export function ResultsRoom() {
  const answer = useRun((run) => run.answer);
  const running = useRun((run) => run.running);
  const outcome = useRun((run) => run.outcome);
  const hasStatements = useDocument((document) => Object.keys(document.statements).length > 0);
  if (answer) return <AnswerView answer={answer} />;
  return (
    <div className="empty">
      <h2>No results yet</h2>
      <p>{emptyWords(running !== undefined, outcome !== undefined, hasStatements)}</p>
      <div className="actions">
        <a className="button" href={hasStatements ? "#/optimise" : "#/start"}>
          {hasStatements ? "See the limits and the run" : "See the examples"}
        </a>
      </div>
    </div>
  );
}

function emptyWords(running: boolean, ended: boolean, hasStatements: boolean): string {
  if (running) return "The run is still going on. Its answer will be shown here.";
  if (ended) return "The last run gave no answer. The Optimise room says why, and what to do.";
  return hasStatements
    ? "Press Optimise (Ctrl Enter) to find the tables of every step and the migrations between them."
    : "Draw entities and write statements, or open an example; then press Optimise.";
}

const views: readonly { readonly name: ResultView; readonly word: string }[] = [
  { name: "time", word: "Cost and migrations" },
  { name: "schema", word: "Schema" },
  { name: "plans", word: "Plans" },
];

const treeView = { name: "tree", word: "Summary tree" } as const;

function AnswerView({ answer }: { readonly answer: Answer }) {
  const { session, documents, engine } = useStudio();
  // Plans are looked at after the costs; enumerating those of a large workload takes a second.
  useEffect(() => {
    if (answer.problem) engine.prepare(answer.problem);
  }, [engine, answer]);
  const wanted = useSession((each) => each.resultView);
  const labels = useStepLabels(answer);
  const balance = useBalance(answer);
  const { recommendation } = answer;
  const now = useRecosted();
  const tree = recommendation.summaryTree;
  // The view of the last answer may be one that this one has not.
  const view = wanted === "tree" && !tree ? "time" : wanted;
  // A stale answer found on loading comes without its problem; its statements go by their ids, or by what is open now.
  const statements = useMemo(() => {
    if (answer.problem) return answer.problem.statements;
    const checked = check(documents.getState().document);
    return checked.ok ? checked.problem.statements : [];
  }, [answer, documents]);
  const index = useMemo(
    () => answerIndex(recommendation, statements),
    [recommendation, statements],
  );
  const nowIndex = useMemo(() => now && answerIndex(now, statements), [now, statements]);
  return (
    <div className="results-room">
      <Summary answer={answer} now={now} />
      <div className="view-bar">
        <Tabs
          label="Views of the results"
          tabs={tree ? [...views, treeView] : views}
          selected={view}
          onSelect={(resultView) => session.setState({ resultView })}
          panelId="result-view"
        />
        <AnswerNotes notes={recommendation.notes} />
        <DownloadResult answer={answer} balance={balance} />
      </div>
      <div
        className="result-view"
        id="result-view"
        role="tabpanel"
        aria-labelledby={`result-view-${view}`}
      >
        {view === "time" && (
          <TimeView
            recommendation={now ?? recommendation}
            balance={balance}
            index={nowIndex ?? index}
            labels={labels}
          />
        )}
        {view === "schema" && (
          <SchemaView answer={answer} balance={balance} index={index} labels={labels} />
        )}
        {view === "plans" && <PlansView answer={answer} index={index} labels={labels} />}
        {view === "tree" && tree && (
          <TreeView recommendation={recommendation} tree={tree} index={index} labels={labels} />
        )}
      </div>
    </div>
  );
}

/** The answer's tables at what they cost now, where only frequencies, limits or pins have been edited since. */
function useRecosted(): Recommendation | undefined {
  const { key } = useChecked();
  return useRun(({ whatIf, answer }) =>
    whatIf?.recosted.status === "recosted" && answer?.problemKey !== key
      ? whatIf.recosted.answer
      : undefined,
  );
}

/** The labels of the document's steps, as long as the answer has as many. */
function useStepLabels(answer: Answer): readonly string[] | undefined {
  const labels = useDocument((document) => document.timeline.labels);
  return labels?.length === answer.recommendation.steps.length ? labels : undefined;
}

function Summary(props: {
  readonly answer: Answer;
  /** The same tables at what they cost now. */
  readonly now: Recommendation | undefined;
}) {
  const { answer, now } = props;
  const stale = useIsStale(answer.problemKey);
  const improved = useRun(({ improvement }) => improvement?.problemKey === answer.problemKey);
  const whatIf = useRun((run) => run.whatIf !== undefined);
  const { recommendation } = answer;
  const facts = headline(now ?? recommendation);
  const { staticAverage, storageLimit } = facts;
  const proven = recommendation.status === "optimal";
  return (
    <header className="summary">
      {stale && <StaleMessage isRecosted={now !== undefined} />}
      {((stale && whatIf) || improved) && <WhatIfPanel />}
      <dl className="summary-figures">
        <SummaryFigure
          name="Cost over all steps"
          value={duration(facts.objective).text}
          title={duration(facts.objective).exact}
        />
        {staticAverage && (
          <SummaryFigure
            name={`Against one fixed schema (${duration(staticAverage.cost).text})`}
            value={signedPerCent(facts.objective, staticAverage.cost)}
            title={`Static schema for the average frequencies: ${duration(staticAverage.cost).exact}${staticAverage.exact ? "" : ", not proven best"}`}
          />
        )}
        {now ? (
          <SummaryFigure
            name="Proof"
            value="None yet"
            title="Nothing is proven of these tables for the project as it is now."
          />
        ) : (
          <SummaryFigure
            name={proven ? `Proof, in ${clock(recommendation.seconds["total"] ?? 0)}` : "Proof"}
            value={proven ? "Optimal" : `Within ${perCent(recommendation.gap)}`}
            title={`No answer costs less than ${duration(recommendation.bound).exact}`}
          />
        )}
        <SummaryFigure
          name={
            storageLimit === undefined
              ? "Most storage at one step"
              : `Most storage, of ${bytes(storageLimit).text}`
          }
          value={bytes(facts.peakStorage).text}
          title={bytes(facts.peakStorage).exact}
        />
        <SummaryFigure
          name={`Tables in all, ${plural(facts.builds, "build")}`}
          value={String(facts.families)}
        />
        <SummaryFigure name="Changes of the schema" value={String(facts.migrations)} />
      </dl>
    </header>
  );
}

function StaleMessage({ isRecosted }: { readonly isRecosted: boolean }) {
  const studio = useStudio();
  return (
    <div className="message caution" role="status">
      <Icon name="warning" />
      {isRecosted ? (
        <div>
          <strong>The same tables under the project as it is now.</strong> Costs, storage and
          migrations below are those of now; Schema and Plans show the answer as it was found.
        </div>
      ) : (
        <div>
          <strong>This answer is stale.</strong> The project has changed since it was found; what
          you see below answers the project as it was.{" "}
          <button type="button" className="link-button" onClick={() => optimise(studio)}>
            Run again
          </button>
        </div>
      )}
    </div>
  );
}

function DownloadResult(props: {
  readonly answer: Answer;
  readonly balance: AnswerBalance | undefined;
}) {
  const { answer, balance } = props;
  const name = useDocument((document) => document.name);
  return (
    <button
      type="button"
      className="button small"
      onClick={() =>
        download(
          fileName(name, "result"),
          JSON.stringify({ ...answer.recommendation, ...(balance && { balance }) }, null, 2),
        )
      }
    >
      <Icon name="download" size={14} />
      Download result
    </button>
  );
}

function SummaryFigure(props: {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
}) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd title={props.title}>{props.value}</dd>
    </div>
  );
}
