/**
 * Above the chart: what is chosen, and changes and patterns for it. A change is shown in chart and grid
 * while its numbers are entered, and is one entry of the history once it is applied.
 */
import {
  type KeyboardEvent,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { CurveSelection } from "#document/curve-commands.ts";
import type { Issue } from "#model/issue.ts";
import { readNumber } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { stepHead } from "../design/steps.ts";
import { download, fileName } from "../download.ts";
import { useDocument, useDocumentState, useStudio } from "../studio-state.ts";
import {
  type ChangeForm,
  type ChangeKind,
  changeEdit,
  changeForms,
  firstNumbers,
  type Shape,
} from "./change-rows.ts";
import type { StatementRow } from "./curve-rows.ts";
import { type Chosen, nothingChosen, selectionWords } from "./curve-selection.ts";
import { useGesture } from "./use-gesture.ts";

const CurveImport = lazy(() =>
  import("./curve-import.tsx").then(({ CurveImport: panel }) => ({ default: panel })),
);

export interface ChangeStripProps {
  readonly rows: readonly StatementRow[];
  readonly selection: CurveSelection;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

/** What is being entered: texts as typed, so that a half-written number is not lost. */
interface Draft {
  readonly form: ChangeForm;
  readonly texts: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

export function ChangeStrip(props: ChangeStripProps) {
  const { rows, selection, chosen, onChoose } = props;
  const steps = useDocument((document) => document.timeline.steps);
  const change = useChange(selection, selectionWords(selection, rows, steps));
  const [isImporting, setImporting] = useState(false);
  const stopImporting = useCallback(() => setImporting(false), []);
  const id = useId();
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !change.draft) return;
    event.preventDefault();
    event.stopPropagation();
    change.end("cancel");
  };
  return (
    <section className="change-strip" aria-label="Change the curves" onKeyDown={leave}>
      <ChosenSteps selection={selection} chosen={chosen} onChoose={onChoose} />
      <span className="chosen-words small" role="status">
        {selectionWords(selection, rows, steps)}
      </span>
      {(chosen.marked.size > 0 || chosen.range) && (
        <button
          type="button"
          className="button small plain"
          title="Change the selected statement alone, at all steps"
          onClick={() => onChoose(nothingChosen)}
        >
          Clear
        </button>
      )}
      <span className="spacer" />
      <span className="chosen-change small">
        <label htmlFor={`${id}-kind`}>Change</label>
        <select
          id={`${id}-kind`}
          className="select small"
          value={change.draft?.form.kind ?? ""}
          disabled={selection.statements.length === 0}
          onChange={(event) => change.choose(event.target.value)}
        >
          <option value="">Nothing</option>
          {(["Change what is there", "Draw a pattern"] as const).map((group) => (
            <optgroup key={group} label={group}>
              {changeForms
                .filter((form) => form.group === group)
                .map((form) => (
                  <option key={form.kind} value={form.kind}>
                    {form.word}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </span>
      <button
        type="button"
        className="button small"
        aria-expanded={isImporting}
        onClick={() => {
          change.end("cancel");
          setImporting(!isImporting);
        }}
      >
        Import…
      </button>
      <SaveFrequencies />
      {isImporting && (
        <Suspense fallback={<p className="quiet small">Opening…</p>}>
          <CurveImport onClose={stopImporting} />
        </Suspense>
      )}
      {change.draft && <ChangeFields change={change} draft={change.draft} />}
    </section>
  );
}

/** All frequencies as a file for a spreadsheet; it can be imported again. */
function SaveFrequencies() {
  const { documents } = useStudio();
  const save = async (): Promise<void> => {
    const { writeFrequencies } = await import("#interchange/frequency-csv.ts");
    const { name, statements, frequencies, timeline } = documents.getState().document;
    const named = Object.entries(statements).map(([id, { label }]) => ({ id, label: label ?? id }));
    const heads = Array.from({ length: timeline.steps }, (_, step) =>
      stepHead(step, timeline.labels),
    );
    const text = writeFrequencies(named, frequencies, heads);
    download(fileName(name, "frequencies", "csv"), text, "text/csv");
  };
  return (
    <button type="button" className="button small" onClick={() => void save()}>
      Save as CSV
    </button>
  );
}

/** First and last step that a change is made to. */
function ChosenSteps(props: Pick<ChangeStripProps, "selection" | "chosen" | "onChoose">) {
  const { selection, chosen, onChoose } = props;
  const steps = useDocument((document) => document.timeline.steps);
  const { first, last } = selection.range;
  const choose = (from: number | undefined, to: number | undefined): readonly Issue[] => {
    const isStep = (step: number | undefined): step is number =>
      step !== undefined && Number.isInteger(step) && step >= 1 && step <= steps;
    if (!isStep(from) || !isStep(to))
      return [
        { severity: "error", place: "selection", message: `Enter a step from 1 to ${steps}.` },
      ];
    if (from > to)
      return [{ severity: "error", place: "selection", message: "The first step comes first." }];
    const isAll = from === 1 && to === steps;
    onChoose({ ...chosen, range: isAll ? undefined : { first: from - 1, last: to - 1 } });
    return [];
  };
  return (
    <span className="chosen-steps">
      <NumberField
        label="From step"
        width={46}
        value={first + 1}
        onCommit={(from) => choose(from, Math.max(from ?? 0, last + 1))}
      />
      <NumberField
        label="to step"
        width={46}
        value={last + 1}
        onCommit={(to) => choose(first + 1, to)}
      />
    </span>
  );
}

interface Change {
  readonly draft: Draft | undefined;
  readonly issues: readonly Issue[];
  readonly choose: (kind: string) => void;
  readonly write: (name: string, text: string) => void;
  readonly setShape: (shape: Shape) => void;
  readonly end: (how: "commit" | "cancel") => void;
}

/** A change that is being entered, as a gesture of the document. */
function useChange(selection: CurveSelection, words: string): Change {
  const { documents } = useStudio();
  const gesture = useGesture("cancel");
  const going = useDocumentState(({ history }) => history.gesture);
  const [draft, setDraft] = useState<Draft>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const selectionKey = JSON.stringify(selection);
  const latest = useRef(selection);
  latest.current = selection;

  // Undo, or another edit, has ended what was being entered.
  useEffect(() => {
    if (going === undefined || !gesture.isOn()) setDraft(undefined);
  }, [going, gesture]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the selection.
  useEffect(() => {
    if (!draft) return;
    const wrong = draft.form.fields.filter(
      ({ name }) => readNumber(draft.texts[name] ?? "") === undefined,
    );
    if (wrong.length > 0) {
      setIssues(wrong.map(({ name }) => noNumber(name, draft.texts[name] ?? "")));
      return;
    }
    const numbers = Object.fromEntries(
      Object.entries(draft.texts).map(([name, text]) => [name, readNumber(text) ?? Number.NaN]),
    );
    setIssues(
      gesture.preview((_, before) =>
        changeEdit(before, latest.current, draft.form.kind, numbers, draft.shape),
      ),
    );
  }, [draft, selectionKey, gesture]);

  const end = (how: "commit" | "cancel"): void => {
    gesture.end(how);
    setDraft(undefined);
    setIssues([]);
  };
  return {
    draft,
    issues,
    end,
    choose: (kind) => {
      end("cancel");
      const form = changeForms.find((each) => each.kind === kind);
      if (!form) return;
      gesture.begin(`${form.word}: ${words}`);
      const [first = ""] = selection.statements;
      const curve = documents.getState().document.frequencies[first] ?? [];
      setDraft({ form, texts: textsOf(form.kind, curve, selection), shape: "wave" });
    },
    write: (name, text) =>
      setDraft((before) => before && { ...before, texts: { ...before.texts, [name]: text } }),
    setShape: (shape) => setDraft((before) => before && { ...before, shape }),
  };
}

function textsOf(
  kind: ChangeKind,
  curve: readonly number[],
  selection: CurveSelection,
): Draft["texts"] {
  return Object.fromEntries(
    Object.entries(firstNumbers(kind, curve, selection)).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
}

function noNumber(name: string, text: string): Issue {
  const message = text.trim() === "" ? "Enter a number." : `“${text}” is no number.`;
  return { severity: "error", place: `change/${name}`, message };
}

function ChangeFields({ change, draft }: { readonly change: Change; readonly draft: Draft }) {
  const { form, texts, shape } = draft;
  const id = useId();
  const issueOf = (name: string): Issue | undefined =>
    change.issues.find(({ place }) => place === `change/${name}`);
  const others = change.issues.filter(
    ({ place }) => !form.fields.some(({ name }) => place === `change/${name}`),
  );
  const isWrong = change.issues.some(({ severity }) => severity === "error");
  return (
    <form
      className="change-fields"
      aria-label={form.word}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) change.end("commit");
      }}
    >
      <p className="quiet small">{form.does}</p>
      {form.fields.map(({ name, label, unit }) => {
        const issue = issueOf(name);
        return (
          <div key={name} className="field">
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <span className="with-unit">
              <input
                id={`${id}-${name}`}
                className="input number"
                inputMode="decimal"
                autoComplete="off"
                value={texts[name] ?? ""}
                aria-invalid={issue !== undefined}
                aria-describedby={issue && `${id}-${name}-wrong`}
                onChange={(event) => change.write(name, event.target.value)}
              />
              {unit && <span className="quiet small">{unit}</span>}
            </span>
            {issue && (
              <span id={`${id}-${name}-wrong`} className="field-error">
                {issue.message} {issue.hint}
              </span>
            )}
          </div>
        );
      })}
      {form.kind === "cycle" && (
        <div className="field">
          <label htmlFor={`${id}-shape`}>Shape</label>
          <select
            id={`${id}-shape`}
            className="select"
            value={shape}
            onChange={(event) =>
              change.setShape(event.target.value === "blocks" ? "blocks" : "wave")
            }
          >
            <option value="wave">wave</option>
            <option value="blocks">blocks</option>
          </select>
        </div>
      )}
      {others.map((issue) => (
        <p key={issue.message} className="field-error" role="alert">
          {issue.message} {issue.hint}
        </p>
      ))}
      <span className="actions">
        <button type="submit" className="button small primary" disabled={isWrong}>
          Apply
        </button>
        <button type="button" className="button small" onClick={() => change.end("cancel")}>
          Cancel
        </button>
      </span>
    </form>
  );
}
