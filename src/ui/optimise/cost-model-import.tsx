/** A profile in: chosen, dropped or pasted; fitted in the worker, then kept and used, or refused with every reason. */
import { type ReactNode, useId, useState } from "react";
import { keepCostModel } from "#document/cost-model-commands.ts";
import { anError, type Issue } from "#model/issue.ts";
import { Icon } from "../design/icon.tsx";
import { useStudio } from "../studio-state.ts";
import { isPreset } from "./cost-model-choice.tsx";
import { modelName } from "./cost-model-rows.ts";

/** Bytes; a larger file is no profile. */
const largestFile = 20e6;
/** Issues that are shown; the rest is counted. */
const mostShown = 12;

/** How the fit of a profile ended. */
export interface FitOutcome {
  /** The profile, in words. */
  readonly what: string;
  readonly name: string;
  readonly isKept: boolean;
  readonly issues: readonly Issue[];
}

export function CostModelImport(props: {
  readonly onOutcome: (outcome: FitOutcome) => void;
  readonly children: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const studio = useStudio();

  const take = async (what: string, name: string, profile: Promise<string>): Promise<void> => {
    setBusy(true);
    const issues = await fitAndKeep(studio, name, profile);
    setBusy(false);
    const isKept = issues.every(({ severity }) => severity === "warning");
    props.onOutcome({ what, name, isKept, issues });
  };
  const takeFile = (file: File | null | undefined): void => {
    if (!file) return;
    const name = modelName(file.name);
    void take(file.name, isPreset(name) ? `${name} measured` : name, textOf(file));
  };
  return (
    <section aria-labelledby="measure-head" className="cost-model-import">
      <h3 id="measure-head">From measurements</h3>
      <p className="quiet">
        Time operations on your own cluster and bring them here as CSV with the columns operation,
        n, w, s, size and milliseconds, one execution per row. The coefficients are fitted by least
        squares.{" "}
        <a href="example-profile.csv" download="example-profile.csv">
          See an example profile
        </a>
        .
      </p>
      {props.children}
      <div className="profile-ways">
        <DropZone busy={busy} onFile={takeFile} />
        <PasteBox
          busy={busy}
          onPaste={(name, text) => void take("The pasted profile", name, Promise.resolve(text))}
        />
      </div>
    </section>
  );
}

/** What is wrong, or what to know of the model that was kept. */
async function fitAndKeep(
  { engine, documents }: ReturnType<typeof useStudio>,
  name: string,
  text: Promise<string>,
): Promise<readonly Issue[]> {
  let profile: string;
  try {
    profile = await text;
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    return [anError("", reason, "Choose another file.")];
  }
  const { costModel } = documents.getState().document.settings;
  const fitted = await engine.fitCostModel({ profile, name, base: costModel });
  if (!fitted.ok) return fitted.issues;
  const refused = documents
    .getState()
    .edit(`Fit the cost model ${name}`, (document) => keepCostModel(document, fitted.value));
  return refused.length > 0 ? refused : fitted.warnings;
}

async function textOf(file: File): Promise<string> {
  if (file.size > largestFile) throw new Error("The file is larger than 20 MB.");
  return file.text();
}

/** A refusal may stand below the end of the panel. */
function showWhole(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: "nearest" });
}

export function FitMessage(props: { readonly outcome: FitOutcome; readonly onClose: () => void }) {
  const { what, name, isKept, issues } = props.outcome;
  const tone = isKept ? (issues.length > 0 ? "caution" : "good") : "error";
  return (
    <div
      className={`message ${tone}`}
      role={isKept ? "status" : "alert"}
      ref={isKept ? undefined : showWhole}
    >
      <Icon name={isKept ? (issues.length > 0 ? "warning" : "done") : "error"} />
      <div>
        <strong>
          {isKept
            ? `${what} was fitted. The cost model ${name} is in use and kept in the project.`
            : `${what} cannot be fitted.`}
        </strong>
        {issues.length > 0 && (
          <ul className="reasons">
            {issues.slice(0, mostShown).map((issue) => (
              <li key={issue.place + issue.message}>
                {issue.place && <span className="tag">{issue.place}</span>} {issue.message}{" "}
                <span className="quiet">{issue.hint}</span>
              </li>
            ))}
          </ul>
        )}
        {issues.length > mostShown && <p>… and {issues.length - mostShown} more.</p>}
        <div className="actions">
          <button type="button" className="button small" onClick={props.onClose}>
            Close this message
          </button>
        </div>
      </div>
    </div>
  );
}

function DropZone(props: {
  readonly busy: boolean;
  readonly onFile: (file: File | null | undefined) => void;
}) {
  const { busy, onFile } = props;
  const [over, setOver] = useState(false);
  return (
    <label
      className={over ? "profile-drop over" : "profile-drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <Icon name="upload" size={20} />
      <span>
        <span className="as-link">{busy ? "Fitting…" : "Choose a profile"}</span> or drop it here
      </span>
      <span className="quiet small">CSV; the model is named after the file.</span>
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        aria-label="Choose a profile"
        disabled={busy}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </label>
  );
}

function PasteBox(props: {
  readonly busy: boolean;
  readonly onPaste: (name: string, text: string) => void;
}) {
  const [text, setText] = useState("");
  const [name, setName] = useState("measured");
  const id = useId();
  return (
    <form
      className="paste-box"
      aria-label="Paste a profile"
      onSubmit={(event) => {
        event.preventDefault();
        props.onPaste(name.trim(), text);
      }}
    >
      <label htmlFor={`${id}-text`}>Or paste its rows, also from a spreadsheet</label>
      <textarea
        id={`${id}-text`}
        className="input mono"
        rows={4}
        spellCheck={false}
        placeholder={"operation,n,w,s,size,milliseconds\nget,1,20,64,,0.94\nput,,3,,,0.81"}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="paste-actions">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          className="input"
          value={name}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={props.busy || text.trim() === ""}>
          Fit the model
        </button>
      </div>
    </form>
  );
}
