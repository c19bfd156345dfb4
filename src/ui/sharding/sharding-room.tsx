/**
 * The Sharding room: where the records and requests of a table land on a cluster under several strategies, at
 * the time cursor and over time, and which key to choose.
 */
import { useCallback, useMemo } from "react";
import { idsByName, type StudioDocument } from "#document/schema.ts";
import { changeSharding } from "#document/sharding-commands.ts";
import type { Strategy } from "#model/sharding-setup.ts";
import type { LabDesign } from "#sharding/lab-tables.ts";
import type { LabAnswer, LabWork } from "#worker/lab-client.ts";
import { count, perCent, plural, threeDigits } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { Split } from "../design/split.tsx";
import { Tabs } from "../design/tabs.tsx";
import {
  check,
  useChecked,
  useDocument,
  useDocumentState,
  useEdit,
  useRun,
} from "../studio-state.ts";
import { FiguresView } from "./figures-view.tsx";
import { HeatView } from "./heat-view.tsx";
import { KeysView } from "./keys-view.tsx";
import { type LabChoice, type LabView, useLabChoice } from "./lab-choice.ts";
import { LabSettings } from "./lab-settings.tsx";
import { designWork, ownWork } from "./lab-work.ts";
import { NodesView } from "./nodes-view.tsx";
import { RingView } from "./ring-view.tsx";
import { StoryPanel } from "./story-panel.tsx";
import { type LabState, useLab } from "./use-lab.ts";
import "./sharding.css";

const views: readonly { readonly name: LabView; readonly word: string }[] = [
  { name: "nodes", word: "Nodes" },
  { name: "time", word: "Over time" },
  { name: "ring", word: "Ring" },
  { name: "keys", word: "Keys" },
  { name: "figures", word: "Figures" },
];

type Change = (change: (choice: LabChoice) => LabChoice) => void;

export function ShardingRoom() {
  const document = useDocument((each) => each);
  const project = useDocumentState((state) => state.projectId);
  const story = document.sharding?.story;
  const [choice, change] = useLabChoice(project ?? "", (story?.length ?? 0) > 0);
  const design = useLabDesign(document);
  const work = useLabWork(document, design, choice);
  const lab = useLab(work);
  const workOn = useWorkOn(design, work);
  if (!design && !choice.own) return <NothingToSpread document={document} change={change} />;
  const settings = (
    <LabSettings design={design} choice={choice} onChange={change} answer={lab.answer} />
  );
  return (
    <div className="sharding-room">
      <Split
        name="lab-settings"
        label="Width of the lab’s settings"
        direction="across"
        sized="first"
        initial={300}
        least={240}
        most={460}
        first={settings}
        second={<LabBench lab={lab} work={work} workOn={workOn} choice={choice} change={change} />}
      />
    </div>
  );
}

/** What the lab may spread of the design: entities that statements touch, and the tables of a current answer. */
function useLabDesign(document: StudioDocument): LabDesign | undefined {
  const checked = useChecked();
  const answer = useRun((run) => run.answer);
  const { sharding, entities } = document;
  return useMemo(() => {
    if (!checked.ok) return undefined;
    const isCurrent = answer?.problemKey === checked.key;
    return {
      problem: checked.problem,
      setup: sharding,
      ids: idsByName({ entities }),
      ...(isCurrent && {
        answer: {
          steps: answer.recommendation.steps,
          plans: answer.recommendation.plans,
          columnFamilies: answer.recommendation.columnFamilies,
        },
      }),
    };
  }, [checked, answer, sharding, entities]);
}

function useLabWork(
  { sharding }: StudioDocument,
  design: LabDesign | undefined,
  choice: LabChoice,
): LabWork | undefined {
  const { own, usesOwn, family, story, records, requests, seed } = choice;
  return useMemo(() => {
    const sizes = { records, requests, seed };
    if (usesOwn && own) return ownWork(sharding, own, sizes);
    return design && designWork(design, sharding, family, story, sizes);
  }, [design, sharding, own, usesOwn, family, story, records, requests, seed]);
}

/** The same work on another entity, for a table of keys that spans several. */
function useWorkOn(
  design: LabDesign | undefined,
  work: LabWork | undefined,
): (id: string) => LabWork | undefined {
  return useCallback(
    (id) => {
      const name = Object.entries(design?.ids ?? {}).find(([, each]) => each === id)?.[0];
      if (!design || !work || name === undefined) return undefined;
      const { strategies: _, ...sizes } = work;
      return { ...sizes, source: { kind: "design", design, table: name } };
    },
    [design, work],
  );
}

interface LabBenchProps {
  readonly lab: LabState;
  readonly work: LabWork | undefined;
  readonly workOn: (id: string) => LabWork | undefined;
  readonly choice: LabChoice;
  readonly change: Change;
}

function LabBench({ lab, work, workOn, choice, change }: LabBenchProps) {
  const { answer, issues } = lab;
  const edit = useEdit();
  const use = (key: readonly string[]): void => {
    if (!answer) return;
    const strategies = answer.strategies.map(
      (each): Strategy =>
        each.kind === "round robin" || each.kind === "range" || each.kind === "list"
          ? each
          : { ...each, key },
    );
    edit(`Shard by ${key.join(" and ")}`, (document) => changeSharding(document, { strategies }));
    change(({ story: _, ...rest }) => ({ ...rest, view: "nodes" }));
  };
  return (
    <div className="lab-bench">
      <StoryPanel choice={choice} onChange={change} />
      <div className="view-bar">
        <Tabs
          label="Views of the lab"
          tabs={views}
          selected={choice.view}
          onSelect={(view) => change((before) => ({ ...before, view }))}
          panelId="lab-view"
        />
        <Status lab={lab} />
      </div>
      <div
        className="lab-panel"
        id="lab-view"
        role="tabpanel"
        aria-labelledby={`lab-view-${choice.view}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling panel has to be reachable by keyboard.
        tabIndex={0}
      >
        {issues.length > 0 && (
          <div className="lab-view">
            <IssueList issues={issues} />
          </div>
        )}
        {answer && work && (
          <>
            {answer.warnings.length > 0 && <IssueList issues={answer.warnings} />}
            {choice.view === "nodes" && <NodesView answer={answer} />}
            {choice.view === "time" && <HeatView answer={answer} />}
            {choice.view === "ring" && <RingView answer={answer} />}
            {choice.view === "keys" && (
              <KeysView answer={answer} work={work} onUse={use} workOn={workOn} />
            )}
            {choice.view === "figures" && <FiguresView answer={answer} />}
          </>
        )}
        {!answer && issues.length === 0 && <p className="loading quiet">Spreading the records…</p>}
      </div>
    </div>
  );
}

function Status({ lab }: { readonly lab: LabState }) {
  const { answer, progress, stop, runAgain, isStopped } = lab;
  if (progress !== undefined)
    return (
      <div className="lab-status">
        <progress aria-label="Experiment" max={1} value={progress} />
        <span className="quiet small" role="status">
          {perCent(Math.floor(progress * 100) / 100)}
        </span>
        <button type="button" className="button small stop" onClick={stop}>
          <Icon name="stop" size={14} />
          Stop the experiment
        </button>
      </div>
    );
  if (isStopped)
    return (
      <div className="lab-status">
        <span className="small" role="status">
          Stopped{answer && "; shown is the one before"}.
        </span>
        <button type="button" className="button small" onClick={runAgain}>
          Run it
        </button>
      </div>
    );
  return answer ? <Drawn answer={answer} /> : null;
}

/** How much the figures rest on. */
function Drawn({ answer }: { readonly answer: LabAnswer }) {
  const { records, requests, rowsEach, seconds } = answer;
  const each = rowsEach > 1.0005 ? `, each for ${count(rowsEach, "rows").text} of the table` : "";
  return (
    <p
      className="lab-status quiet small"
      role="status"
      title={`${count(records, "records").exact} were drawn${each}, and ${count(requests, "requests").exact}`}
    >
      {count(records, "records").text}, {count(requests, "requests").text}, {threeDigits(seconds)} s
    </p>
  );
}

function NothingToSpread(props: { readonly document: StudioDocument; readonly change: Change }) {
  const { document } = props;
  const isEmpty = Object.keys(document.statements).length === 0;
  const checked = check(document);
  return (
    <div className="empty">
      <h2>Nothing to spread yet</h2>
      <p>
        {isEmpty
          ? "The lab spreads the records of your entities over a cluster, with your statements as the requests. Open an example, such as the bank’s transaction log, or draw a model first."
          : `The project has ${plural(checked.issues.length, "mistake")} to mend first; the Workload and Model rooms show where.`}
      </p>
      <div className="actions">
        <a className="button" href="#/start">
          See the examples
        </a>
        <OwnRecordsButton change={props.change} />
      </div>
    </div>
  );
}

function OwnRecordsButton({ change }: { readonly change: Change }) {
  return (
    <label className="button">
      <Icon name="upload" size={14} />
      Spread records of a CSV
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={async (event) => {
          const file = event.target.files?.[0];
          if (!file) return;
          const records = await file.text();
          change((before) => ({ ...before, own: { name: file.name, records }, usesOwn: true }));
        }}
      />
    </label>
  );
}
