/**
 * Frequencies from a file or from the clipboard, and traces of executions: shown in chart and grid before
 * they are taken over, with every line that could not be used. A chunk of its own, since it reads CSV.
 */
import { useEffect, useId, useMemo, useState } from "react";
import { takeCurves } from "#document/curve-commands.ts";
import type { StudioDocument } from "#document/schema.ts";
import type { SkippedLine } from "#interchange/frequency-csv.ts";
import type { Issue } from "#model/issue.ts";
import { plural } from "../design/format.ts";
import { useDocumentState, useStudio } from "../studio-state.ts";
import {
  type FileKind,
  guessKind,
  type Imported,
  importedCurves,
  readImport,
} from "./import-rows.ts";
import { useGesture } from "./use-gesture.ts";

/** A longer text would hold up the page while it is read. */
const mostCharacters = 10_000_000;
/** Skipped lines that are told one by one. */
const mostTold = 100;

interface Source {
  readonly name: string;
  readonly text: string;
  readonly kind: FileKind;
}

const placeholder =
  "statement,1,2,3\nq1,10,8,30\n\nor\n\ntimestamp,statement\n2026-12-01T10:00:00Z,q1";

export function CurveImport({ onClose }: { readonly onClose: () => void }) {
  const [source, setSource] = useState<Source>({ name: "pasted", text: "", kind: "frequencies" });
  const [refusal, setRefusal] = useState<string>();
  const take = (name: string, text: string): void => {
    const isLong = text.length > mostCharacters;
    setRefusal(isLong ? `${name} is longer than 10 MB. Take a shorter stretch of it.` : undefined);
    if (!isLong) setSource({ name, text, kind: guessKind(text) });
  };
  const shown = useImport(source, onClose);
  const id = useId();
  return (
    <section
      className="curve-import"
      aria-label="Import frequencies"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        shown.end("cancel");
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        readFile(event.dataTransfer.files[0], take, setRefusal);
      }}
    >
      <div className="import-source">
        <label htmlFor={`${id}-text`}>Rows of frequencies, or a trace: paste, drop or</label>
        <input
          type="file"
          aria-label="Choose a CSV file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={(event) => {
            readFile(event.target.files?.[0], take, setRefusal);
            event.target.value = "";
          }}
        />
        <textarea
          id={`${id}-text`}
          className="input mono"
          rows={5}
          spellCheck={false}
          placeholder={placeholder}
          data-typing="true"
          value={source.text}
          onChange={(event) => take("pasted", event.target.value)}
        />
      </div>
      <div className="import-result small">
        <label>
          Read as{" "}
          <select
            className="select"
            value={source.kind}
            onChange={(event) =>
              setSource({
                ...source,
                kind: event.target.value === "trace" ? "trace" : "frequencies",
              })
            }
          >
            <option value="frequencies">frequencies, a row per statement</option>
            <option value="trace">trace, a row per execution</option>
          </select>
        </label>
        {refusal && (
          <p className="field-error" role="alert">
            {refusal}
          </p>
        )}
        {source.text.trim() !== "" && <ImportResult shown={shown} />}
        <span className="actions">
          <button
            type="button"
            className="button small primary"
            disabled={!shown.isShown}
            onClick={() => shown.end("commit")}
          >
            Take over
          </button>
          <button type="button" className="button small" onClick={() => shown.end("cancel")}>
            Cancel
          </button>
        </span>
      </div>
    </section>
  );
}

function readFile(
  file: File | null | undefined,
  take: (name: string, text: string) => void,
  refuse: (why: string) => void,
): void {
  if (!file) return;
  if (file.size > mostCharacters) {
    refuse(`${file.name} is larger than 10 MB. Take a shorter stretch of it.`);
    return;
  }
  file.text().then(
    (text) => take(file.name, text),
    () => refuse(`${file.name} cannot be read. Choose it again.`),
  );
}

interface ShownImport {
  /** The curves are in the chart, and can be taken over. */
  readonly isShown: boolean;
  readonly words: readonly string[];
  readonly skipped: readonly SkippedLine[];
  readonly issues: readonly Issue[];
  /** Steps in the file where these are not the project's. */
  readonly otherSteps: number | undefined;
  readonly fit: "curves" | "steps";
  readonly setFit: (fit: "curves" | "steps") => void;
  readonly isTrace: boolean;
  readonly folds: boolean;
  readonly setFolds: (folds: boolean) => void;
  readonly end: (how: "commit" | "cancel") => void;
}

/** What is imported, shown as a gesture of the document that begins with this panel. */
function useImport({ name, text, kind }: Source, onClose: () => void): ShownImport {
  const { documents } = useStudio();
  const gesture = useGesture("cancel");
  const going = useDocumentState(({ history }) => history.gesture);
  const [base] = useState(() => documents.getState().document);
  const [fit, setFit] = useState<"curves" | "steps">("curves");
  const [folds, setFolds] = useState(true);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const statements = useMemo(() => namedStatements(base), [base]);
  const read = useMemo(
    () => (text.trim() === "" ? undefined : readImport(text, kind, statements)),
    [text, kind, statements],
  );
  const imported: Imported | undefined = read?.ok ? read.value : undefined;
  const result = useMemo(
    () => imported && importedCurves(imported, statements, base.timeline, folds),
    [imported, statements, base, folds],
  );
  useEffect(() => {
    gesture.begin("Import frequencies");
  }, [gesture]);
  // Undo, or an edit elsewhere, has ended it.
  useEffect(() => {
    if (going !== undefined && !gesture.isOn()) onClose();
  }, [going, gesture, onClose]);
  useEffect(() => {
    setIssues(
      gesture.preview((_, before) =>
        result ? takeCurves(before, result.curves, fit) : { ok: true, value: before, warnings: [] },
      ),
    );
  }, [gesture, result, fit]);
  const refused = read && !read.ok ? read.issues : [];
  const steps = imported?.kind === "frequencies" ? imported.steps : base.timeline.steps;
  return {
    isShown: result !== undefined && !issues.some(({ severity }) => severity === "error"),
    words: result ? [`${name}: ${result.words[0]}`, ...result.words.slice(1)] : [],
    skipped: imported?.skipped ?? [],
    issues: [...refused, ...issues],
    otherSteps: steps === base.timeline.steps ? undefined : steps,
    fit,
    setFit,
    isTrace: kind === "trace",
    folds,
    setFolds,
    end: (how) => {
      gesture.end(how);
      onClose();
    },
  };
}

function namedStatements({ statements }: StudioDocument) {
  return Object.entries(statements).map(([id, { label }]) => ({ id, label: label ?? id }));
}

function ImportResult({ shown }: { readonly shown: ShownImport }) {
  const { words, skipped, issues, otherSteps, fit, setFit, isTrace, folds, setFolds } = shown;
  return (
    <>
      {words.length > 0 && <p role="status">{words.join(" ")}</p>}
      {issues.map((issue) => (
        <p key={issue.message} className="field-error" role="alert">
          {issue.place.startsWith("line") ? `${issue.place}: ` : ""}
          {issue.message} {issue.hint}
        </p>
      ))}
      {isTrace && words.length > 0 && (
        <label className="log-choice">
          <input
            type="checkbox"
            checked={folds}
            onChange={(event) => setFolds(event.target.checked)}
          />
          Lay every round of the timeline over the first, and take the mean
        </label>
      )}
      {otherSteps !== undefined && (
        <label>
          The project has another number of steps:{" "}
          <select
            className="select"
            value={fit}
            onChange={(event) => setFit(event.target.value === "steps" ? "steps" : "curves")}
          >
            <option value="curves">fit the curves to it, totals stay</option>
            <option value="steps">take the {otherSteps} steps of the file</option>
          </select>
        </label>
      )}
      {skipped.length > 0 && (
        <details open>
          <summary>{plural(skipped.length, "line")} skipped</summary>
          <ul className="skipped-lines">
            {skipped.slice(0, mostTold).map(({ line, why }) => (
              <li key={line}>
                Line {line}: {why}
              </li>
            ))}
            {skipped.length > mostTold && <li>… and {skipped.length - mostTold} more.</li>}
          </ul>
        </details>
      )}
    </>
  );
}
