/** The run: what stands in its way, how far it is, and how it ended. */

import type { StudioDocument } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import type { Progress, RunCounts, RunOutcome } from "#model/recommendation.ts";
import { bytes, clock, duration, exactNumber, perCent, plural } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { stageWords, useElapsed } from "../run-words.ts";
import {
  goToPlace,
  limitStorageTo,
  optimise,
  type RunningRun,
  useChecked,
  useDocument,
  useIsStale,
  useRun,
  useStudio,
} from "../studio-state.ts";
import { type OutcomeWords, outcomeWords } from "./outcome-words.ts";
import { ProgressChart } from "./progress-chart.tsx";
import { TooLarge } from "./too-large.tsx";

export function RunPanel() {
  const running = useRun((run) => run.running);
  const outcome = useRun((run) => run.outcome);
  const answer = useRun((run) => run.answer);
  const lastHistory = useRun((run) => run.lastHistory);
  const checked = useChecked();
  const asked = useRun((run) => run.tooLarge);
  const tooLarge = !running && asked?.problemKey === checked.key ? asked : undefined;
  const nothing = useDocument((document) => Object.keys(document.statements).length === 0);
  const history = running?.history ?? lastHistory;
  return (
    <div className="run-panel">
      {nothing ? (
        <NothingToOptimise />
      ) : (
        <>
          {!checked.ok && <Blocked issues={checked.issues} />}
          {running && <Running running={running} />}
          {tooLarge && <TooLarge size={tooLarge.size} />}
          {!running && !tooLarge && outcome && (
            <Ended outcome={outcome.outcome} problemKey={outcome.problemKey} />
          )}
          {!running && !tooLarge && !outcome && answer && <Answered />}
          {!running && !tooLarge && !outcome && !answer && checked.ok && (
            <Ready issues={checked.issues} />
          )}
          {history.length > 0 && <ProgressChart history={history} />}
        </>
      )}
    </div>
  );
}

function NothingToOptimise() {
  const hasEntities = useDocument((document) => Object.keys(document.entities).length > 0);
  return (
    <div className="empty">
      <h2>Nothing to optimise yet</h2>
      <p>
        A run needs entities and at least one statement.{" "}
        {hasEntities
          ? "The entities are there: write what is asked of them."
          : "Begin with the entities, or open an example."}
      </p>
      <div className="actions">
        <a className="button primary" href={hasEntities ? "#/workload" : "#/model"}>
          {hasEntities ? "Write a statement" : "Draw the entities"}
        </a>
        <a className="button" href="#/start">
          See the examples
        </a>
      </div>
    </div>
  );
}

function Blocked({ issues }: { readonly issues: readonly Issue[] }) {
  const errors = issues.filter((issue) => issue.severity === "error");
  return (
    <section aria-labelledby="blocked-head" className="run-section">
      <h2 id="blocked-head">
        {plural(errors.length, "mistake stands", "mistakes stand")} in the way of a run
      </h2>
      <PlacedIssues issues={errors} />
    </section>
  );
}

/** Issues, each with the way to the record it is about. */
function PlacedIssues({ issues }: { readonly issues: readonly Issue[] }) {
  const studio = useStudio();
  const project = useDocument((document) => document);
  return (
    <IssueList
      issues={issues}
      action={(issue) => (
        <div>
          <button
            type="button"
            className="link-button"
            onClick={() => goToPlace(studio, issue.place)}
          >
            {placeWords(project, issue.place)}
          </button>
        </div>
      )}
    />
  );
}

function placeWords({ statements, entities }: StudioDocument, place: string): string {
  const [table = "", id = ""] = place.split("/");
  if (table === "statements" || table === "frequencies")
    return `Go to the statement “${statements[id]?.label ?? id}”`;
  if (table === "entities") return `Go to the entity ${entities[id]?.name ?? id}`;
  if (table === "relationships") return "Go to the model";
  return table === "settings" ? "See the limits" : "Go to the workload";
}

function Ready({ issues }: { readonly issues: readonly Issue[] }) {
  const studio = useStudio();
  const statements = useDocument((document) => Object.keys(document.statements).length);
  const steps = useDocument((document) => document.timeline.steps);
  return (
    <section aria-labelledby="ready-head" className="run-section">
      <h2 id="ready-head">Ready</h2>
      <p>
        {plural(statements, "statement")} over {plural(steps, "step")}. The search finds the tables
        of every step, a plan for every query and the migrations between steps that cost least
        together.
      </p>
      <StartButton onStart={() => optimise(studio)} />
      <PlacedIssues issues={issues} />
    </section>
  );
}

function StartButton({ onStart }: { readonly onStart: () => void }) {
  return (
    <div>
      <button type="button" className="button" onClick={onStart}>
        <Icon name="play" size={14} />
        Start the search
      </button>
    </div>
  );
}

function Running({ running }: { readonly running: RunningRun }) {
  const seconds = useElapsed(running.started);
  const { progress } = running;
  const stage = progress ? (stageWords[progress.stage] ?? progress.stage) : "Starting";
  return (
    <section aria-labelledby="running-head" className="run-section">
      <h2 id="running-head">{stage}…</h2>
      <p className="quiet">
        {clock(seconds)} so far{progress?.message ? ` · ${progress.message}` : ""}
      </p>
      {progress && <Bounds progress={progress} />}
      {progress && <Counts counts={progress.counts} />}
    </section>
  );
}

function Bounds({ progress }: { readonly progress: Progress }) {
  const { incumbent, bound, gap } = progress;
  if (incumbent === undefined && bound === undefined) return null;
  return (
    <dl className="figures">
      <div>
        <dt>Best answer so far</dt>
        <dd title={incumbent === undefined ? undefined : duration(incumbent).exact}>
          {incumbent === undefined ? "none yet" : duration(incumbent).text}
        </dd>
      </div>
      <div>
        <dt>No answer costs less than</dt>
        <dd title={bound === undefined ? undefined : duration(bound).exact}>
          {bound === undefined ? "not known yet" : duration(bound).text}
        </dd>
      </div>
      <div>
        <dt>Gap</dt>
        <dd>{gap === undefined || !Number.isFinite(gap) ? "–" : perCent(gap)}</dd>
      </div>
    </dl>
  );
}

const countWords: Readonly<Record<string, string>> = {
  proposed: "tables proposed",
  candidates: "candidate tables",
  plans: "query plans",
  queryPlans: "query plans",
  migrationPlans: "migration plans",
  columns: "variables",
  rows: "constraints",
  nodes: "nodes searched",
};

/** Counts by their names; `done` of `all` is drawn as a bar. */
function Counts({ counts }: { readonly counts: Readonly<Record<string, number>> }) {
  const { done, all, ...others } = counts;
  const entries = Object.entries(others);
  return (
    <>
      {done !== undefined && all !== undefined && done < all && (
        <progress value={done} max={all} aria-label="Part of this stage that is done" />
      )}
      {entries.length > 0 && (
        <dl className="figures small">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{countWords[name] ?? name}</dt>
              <dd>{exactNumber(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function Answered() {
  const studio = useStudio();
  const answer = useRun((run) => run.answer);
  const stale = useIsStale(answer?.problemKey);
  const { ok } = useChecked();
  if (!answer) return null;
  const { recommendation } = answer;
  return (
    <section aria-labelledby="answered-head" className="run-section">
      <h2 id="answered-head">
        {recommendation.status === "optimal"
          ? "Proven optimal"
          : `Within ${perCent(recommendation.gap)} of the best`}
      </h2>
      {stale && (
        <div className="message caution">
          <Icon name="warning" />
          <div>The project has changed since this answer was found.</div>
        </div>
      )}
      <dl className="figures">
        <div>
          <dt>Cost over all steps</dt>
          <dd title={duration(recommendation.objective).exact}>
            {duration(recommendation.objective).text}
          </dd>
        </div>
        <div>
          <dt>No answer costs less than</dt>
          <dd title={duration(recommendation.bound).exact}>
            {duration(recommendation.bound).text}
          </dd>
        </div>
        <div>
          <dt>Found in</dt>
          <dd>{clock(recommendation.seconds["total"] ?? 0)}</dd>
        </div>
      </dl>
      <div className="actions">
        <a className="button primary" href="#/results">
          See the results
        </a>
        {ok && <StartButton onStart={() => optimise(studio)} />}
      </div>
      <Counts counts={answerCounts(recommendation.counts)} />
    </section>
  );
}

/** The counts of an answer that say how large the search was. */
function answerCounts(counts: RunCounts): Readonly<Record<string, number>> {
  const { candidates, queryPlans, migrationPlans, columns, rows, nodes } = counts;
  const ways = migrationPlans === undefined ? {} : { migrationPlans };
  return { candidates, queryPlans, ...ways, columns, rows, nodes };
}

function Ended(props: { readonly outcome: RunOutcome; readonly problemKey: string }) {
  const { outcome, problemKey } = props;
  const studio = useStudio();
  const stale = useIsStale(problemKey);
  const { ok } = useChecked();
  const answer = useRun((run) => run.answer);
  const words: OutcomeWords = outcomeWords(outcome);
  const smallest = outcome.status === "infeasible" ? outcome.smallestStorage : undefined;
  return (
    <section aria-labelledby="ended-head" className="run-section">
      <div className={`message ${words.severity}`} role="alert">
        <Icon name={words.severity === "error" ? "error" : "warning"} />
        <div>
          <h2 id="ended-head">{words.head}</h2>
          <ul className="reasons">
            {words.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <p>{words.wayOut}</p>
          {stale && <p>The project has changed since; another run may end differently.</p>}
          <div className="actions">
            {smallest !== undefined && (
              <button
                type="button"
                className="button primary"
                title={bytes(smallest).exact}
                onClick={() => limitStorageTo(studio, Math.ceil(smallest))}
              >
                Set the limit to {bytes(Math.ceil(smallest)).text}
              </button>
            )}
            {ok && <StartButton onStart={() => optimise(studio)} />}
            {answer && (
              <a className="button" href="#/results">
                See the answer before
              </a>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
