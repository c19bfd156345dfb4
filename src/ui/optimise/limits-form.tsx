/** What a run may use: storage, the gap at which it may stop, time, and the options of the problem. */
import { useId } from "react";
import { setGap, setMode, setOption, setStorage, setTimeLimit } from "#document/commands.ts";
import type { StorageLimit } from "#model/problem.ts";
import type { RunMode } from "#model/recommendation.ts";
import { bytes, exactNumber, readBytes } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { type Answer, useDocument, useEdit, useRun } from "../studio-state.ts";
import { PartitionFields } from "./partition-fields.tsx";

export function LimitsForm() {
  return (
    <form
      className="limits"
      aria-label="Limits of the run"
      onSubmit={(event) => event.preventDefault()}
    >
      <h2>Limits</h2>
      <StorageFields />
      <SearchFields />
      <ModeField />
      <OptionFields />
      <PartitionFields />
    </form>
  );
}

function StorageFields() {
  const storage = useDocument((document) => document.settings.storage);
  const answer = useRun((run) => run.answer);
  const edit = useEdit();
  const name = useId();
  const set = (limit: StorageLimit) =>
    edit("Set the storage limit", (document) => setStorage(document, limit));
  const suggested = unlimitedStatic(answer) ?? 1e9;
  const choose = (kind: StorageLimit["kind"]): void => {
    if (kind === "none") set({ kind });
    else if (kind === "bytes") set({ kind, bytes: Math.ceil(suggested) });
    else set({ kind, percent: 100 });
  };
  const choices: readonly { readonly kind: StorageLimit["kind"]; readonly word: string }[] = [
    { kind: "none", word: "No limit" },
    { kind: "bytes", word: "A size" },
    { kind: "percentOfStaticAverage", word: "A share of the static schema" },
  ];
  return (
    <fieldset>
      <legend>Storage of the tables that exist at the same time</legend>
      {choices.map(({ kind, word }) => (
        <label key={kind} className="choice">
          <input
            type="radio"
            name={name}
            checked={storage.kind === kind}
            onChange={() => choose(kind)}
          />
          {word}
        </label>
      ))}
      {storage.kind === "bytes" && (
        <NumberField
          label="Storage limit"
          value={storage.bytes}
          show={(value) => bytes(value).text}
          read={readBytes}
          hint={`${bytes(storage.bytes).exact}. Type a size such as 3.9 GB or 500 MB.`}
          onCommit={(value) => set({ kind: "bytes", bytes: value ?? Number.NaN })}
        />
      )}
      {storage.kind === "percentOfStaticAverage" && (
        <NumberField
          label="Storage limit in per cent"
          value={storage.percent}
          unit="%"
          hint={shareHint(unlimitedStatic(answer), storage.percent)}
          onCommit={(value) =>
            set({ kind: "percentOfStaticAverage", percent: value ?? Number.NaN })
          }
        />
      )}
    </fieldset>
  );
}

/** The size of the static schema without a limit, as far as the last answer tells it. */
function unlimitedStatic(answer: Answer | undefined): number | undefined {
  const storage = answer?.problem?.storage;
  const limit = answer?.recommendation.storageLimit;
  if (storage?.kind === "percentOfStaticAverage" && limit !== undefined)
    return (limit / storage.percent) * 100;
  if (storage?.kind !== "none") return undefined;
  return answer?.recommendation.baselines.find((each) => each.kind === "static average")
    ?.storageBytes;
}

function shareHint(staticBytes: number | undefined, percent: number): string {
  const meaning =
    "Of the size of the one schema that is best for the average frequencies, without a limit";
  return staticBytes === undefined
    ? `${meaning}.`
    : `${meaning} (${bytes(staticBytes).text} at the last run: ${bytes((staticBytes * percent) / 100).text}).`;
}

function SearchFields() {
  const gap = useDocument((document) => document.settings.gap);
  const timeLimit = useDocument((document) => document.settings.timeLimitSeconds);
  const edit = useEdit();
  return (
    <fieldset>
      <legend>When to stop</legend>
      <NumberField
        label="Gap"
        value={gap * 100}
        show={(value) => exactNumber(Number(value.toPrecision(6)))}
        unit="%"
        hint="The search stops when the answer is proven to be within this share of the best. 0.01 % counts as proven optimal."
        onCommit={(value) =>
          edit("Set the gap", (document) => setGap(document, (value ?? Number.NaN) / 100))
        }
      />
      <NumberField
        label="Time limit"
        value={timeLimit}
        unit="s"
        optional
        placeholder="none"
        hint="After this time the best answer so far is kept."
        onCommit={(value) =>
          edit("Set the time limit", (document) => setTimeLimit(document, value))
        }
      />
    </fieldset>
  );
}

const modes: readonly { readonly mode: RunMode; readonly word: string; readonly means: string }[] =
  [
    {
      mode: "certified",
      word: "Certified",
      means:
        "Among all candidate tables, until the answer is proven to be within the gap. What is not proven is told.",
    },
    {
      mode: "summary-tree",
      word: "Summary tree",
      means:
        "The published method, to compare with: a tree of small programs of three steps each picks tables, and only these are searched. It proves nothing by itself; the gap shown is to the best of every step alone.",
    },
  ];

function ModeField() {
  const mode = useDocument((document) => document.settings.mode) ?? "certified";
  const edit = useEdit();
  const id = useId();
  const hint = useId();
  return (
    <fieldset>
      <legend>How to search</legend>
      <div className="field">
        <label htmlFor={id}>Method</label>
        <select
          id={id}
          className="select"
          value={mode}
          aria-describedby={hint}
          onChange={(event) => {
            const chosen = modes.find((each) => each.mode === event.target.value)?.mode;
            if (chosen) edit("Choose how to search", (document) => setMode(document, chosen));
          }}
        >
          {modes.map(({ mode: each, word }) => (
            <option key={each} value={each}>
              {word}
            </option>
          ))}
        </select>
        <p id={hint} className="field-hint">
          {modes.find((each) => each.mode === mode)?.means}
        </p>
      </div>
    </fieldset>
  );
}

function OptionFields() {
  const options = useDocument((document) => document.settings.options);
  const edit = useEdit();
  const gets = useId();
  return (
    <fieldset>
      <legend>Options</legend>
      <div className="field">
        <label htmlFor={gets}>Most Gets in a query plan</label>
        <select
          id={gets}
          className="select"
          value={options.maxGets}
          onChange={(event) => {
            const value = Number(event.target.value);
            edit("Set the most Gets", (document) => setOption(document, "maxGets", value));
          }}
        >
          <option value={1}>1: materialised views only</option>
          <option value={2}>2: joins of two tables</option>
          <option value={3}>3: joins and a key lookup</option>
          {options.maxGets > 3 && <option value={options.maxGets}>{options.maxGets}</option>}
        </select>
      </div>
      <label className="choice">
        <input
          type="checkbox"
          checked={options.initialLoad}
          onChange={(event) => {
            const { checked } = event.target;
            edit("Change “count the initial load”", (document) =>
              setOption(document, "initialLoad", checked),
            );
          }}
        />
        <span>
          Count the initial load
          <span className="field-hint block">The cost of loading the first schema.</span>
        </span>
      </label>
      <label className="choice">
        <input
          type="checkbox"
          checked={options.buildingCountsAsStorage}
          onChange={(event) => {
            const { checked } = event.target;
            edit("Change “building counts as storage”", (document) =>
              setOption(document, "buildingCountsAsStorage", checked),
            );
          }}
        />
        <span>
          Tables being built count as storage
          <span className="field-hint block">In the step during which they are filled.</span>
        </span>
      </label>
    </fieldset>
  );
}
