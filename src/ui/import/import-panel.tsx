/**
 * Importing a schema, beside the room: paste or choose a text, look at what was read, answer what it leaves
 * open, then take it over. Nothing changes before a button of the last part is pressed.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { planCql } from "#interchange/plan-cql.ts";
import { planSchema } from "#interchange/plan-schema.ts";
import type { ImportAnswers, ImportPlan } from "#model/imported-schema.ts";
import type { Issue } from "#model/issue.ts";
import {
  type ImportReading,
  type ImportRun,
  type ImportWork,
  readSchema,
} from "#worker/import-client.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { useEscape } from "../design/side-panel.ts";
import { largestSchemaFile } from "../schema-file.ts";
import { useSession, useStudio } from "../studio-state.ts";
import { ImportPreview } from "./import-preview.tsx";
import { projectName } from "./import-rows.ts";
import { TakeOver } from "./take-over.tsx";
import "./import.css";

/** A text longer than this is not put into the box, which would become slow. */
const longestShown = 200_000;

type Format = ImportWork["format"];

/** What has been asked for and what came of it. */
type Reading =
  | { readonly kind: "nothing" }
  | { readonly kind: "reading" }
  | { readonly kind: "refused"; readonly issues: readonly Issue[] }
  | { readonly kind: "read"; readonly reading: ImportReading };

const nothing: Reading = { kind: "nothing" };

export function ImportPanel() {
  const { session } = useStudio();
  const given = useSession((each) => each.importing);
  const [text, setText] = useState("");
  const [fileName, setFileName] = useState<string>();
  const [format, setFormat] = useState<Format>();
  const [answers, setAnswers] = useState<ImportAnswers>({});
  const { reading, read, stop } = useReading();
  const closeButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    stop();
    session.setState({ importing: undefined });
  };
  useEscape(close, true);
  useEffect(() => closeButton.current?.focus(), []);

  const begin = (next: string, name: string | undefined, as: Format): void => {
    setText(next);
    setFileName(name);
    setFormat(as);
    setAnswers({});
    read({ text: next, format: as });
  };
  // A text that came along (pasted on the start page, dropped somewhere) is read at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what comes along newly begins anew.
  useEffect(() => {
    if (given?.text !== undefined) begin(given.text, given.name, undefined);
  }, [given]);

  const plan = useMemo(() => planOf(reading, answers), [reading, answers]);
  return (
    <aside className="import-panel" aria-label="Import a schema">
      <header>
        <h2>Import a schema</h2>
        <button
          ref={closeButton}
          type="button"
          className="button plain icon-only"
          aria-label="Close the import"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="import-body">
        <Source
          text={text}
          fileName={fileName}
          format={format}
          found={reading.kind === "read" ? formatOf(reading.reading) : undefined}
          busy={reading.kind === "reading"}
          onText={(next) => {
            setText(next);
            setFileName(undefined);
          }}
          onRead={begin}
          onStop={stop}
        />
        {reading.kind === "refused" && (
          <div role="alert">
            <IssueList issues={reading.issues} />
          </div>
        )}
        {reading.kind === "read" && plan && (
          <>
            <ImportPreview
              schema={reading.reading.schema}
              plan={plan}
              onAnswer={(id, answer) =>
                setAnswers(({ [id]: _, ...rest }) =>
                  answer === undefined ? rest : { ...rest, [id]: answer },
                )
              }
            />
            <TakeOver key={fileName} plan={plan} name={projectName(fileName)} onClose={close} />
          </>
        )}
      </div>
    </aside>
  );
}

function planOf(reading: Reading, answers: ImportAnswers): ImportPlan | undefined {
  if (reading.kind !== "read") return undefined;
  const found = reading.reading;
  return found.format === "sql"
    ? planSchema(found.schema, answers)
    : planCql(found.schema, answers);
}

function formatOf(reading: ImportReading): NonNullable<Format> {
  return reading.format === "sql" ? reading.schema.dialect : "cql";
}

/** Reads one text after another in a worker; a new one ends the one before. */
function useReading(): {
  readonly reading: Reading;
  readonly read: (work: ImportWork) => void;
  readonly stop: () => void;
} {
  const [reading, setReading] = useState<Reading>(nothing);
  const run = useRef<ImportRun>(undefined);
  useEffect(() => () => run.current?.stop(), []);
  const read = (work: ImportWork): void => {
    run.current?.stop();
    const own = readSchema(work);
    run.current = own;
    setReading({ kind: "reading" });
    void own.answer.then((answer) => {
      if (run.current !== own) return;
      if (!answer) setReading(nothing);
      else if (answer.ok) setReading({ kind: "read", reading: answer.value });
      else setReading({ kind: "refused", issues: answer.issues });
    });
  };
  return { reading, read, stop: () => run.current?.stop() };
}

const formats: readonly (readonly [value: string, words: string])[] = [
  ["", "Tell from the text"],
  ["postgres", "SQL: Postgres"],
  ["mysql", "SQL: MySQL, MariaDB"],
  ["sqlite", "SQL: SQLite"],
  ["sqlserver", "SQL: SQL Server"],
  ["cql", "CQL: Cassandra, ScyllaDB"],
];

function formatFrom(value: string): Format {
  const found = formats.find(([each]) => each === value && each !== "");
  return found?.[0] as Format;
}

interface SourceProps {
  readonly text: string;
  readonly fileName: string | undefined;
  readonly format: Format;
  /** What the text was read as. */
  readonly found: Format;
  readonly busy: boolean;
  readonly onText: (text: string) => void;
  readonly onRead: (text: string, name: string | undefined, format: Format) => void;
  readonly onStop: () => void;
}

function Source(props: SourceProps) {
  const { text, fileName, format, found, busy, onText, onRead, onStop } = props;
  const isLong = text.length > longestShown;
  const foundWords = formats.find(([value]) => value === found)?.[1];
  return (
    <form
      className="import-source"
      aria-label="Text to import"
      onSubmit={(event) => {
        event.preventDefault();
        onRead(text, fileName, format);
      }}
    >
      <SchemaDrop
        onFile={(file) => void fileText(file).then((each) => onRead(each, file.name, format))}
      />
      {isLong ? (
        <p className="long-text">
          {fileName ?? "The pasted text"}: {Math.round(text.length / 1000).toLocaleString("en-GB")}{" "}
          thousand characters.{" "}
          <button type="button" className="link-button" onClick={() => onText("")}>
            Paste another text
          </button>
        </p>
      ) : (
        <div className="field">
          <label htmlFor="import-text">
            Or paste SQL or CQL{fileName && ` (now: ${fileName})`}
          </label>
          <textarea
            id="import-text"
            className="input mono"
            rows={6}
            spellCheck={false}
            placeholder="CREATE TABLE customer (id int PRIMARY KEY, name varchar(40));"
            value={text}
            onChange={(event) => onText(event.target.value)}
          />
        </div>
      )}
      <div className="import-actions">
        <label htmlFor="import-format" className="visually-hidden">
          Dialect
        </label>
        <select
          id="import-format"
          className="select"
          value={format ?? ""}
          onChange={(event) => {
            const next = formatFrom(event.target.value);
            // What has been read is read again; nothing else has to be pressed.
            onRead(text, fileName, next);
          }}
        >
          {formats.map(([value, words]) => (
            <option key={value} value={value}>
              {value === "" && foundWords ? `Told from the text: ${foundWords}` : words}
            </option>
          ))}
        </select>
        {busy ? (
          <>
            <span role="status">Reading…</span>
            <button type="button" className="button" onClick={onStop}>
              <Icon name="stop" size={14} />
              Stop
            </button>
          </>
        ) : (
          <button type="submit" className="button" disabled={text.trim() === ""}>
            Read the tables
          </button>
        )}
      </div>
    </form>
  );
}

/** The text of a file; too large a one is refused by the reader, in its words. */
async function fileText(file: File): Promise<string> {
  return file.size > largestSchemaFile ? file.slice(0, largestSchemaFile).text() : file.text();
}

function SchemaDrop({ onFile }: { readonly onFile: (file: File) => void }) {
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
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <Icon name="upload" size={20} />
      <span>
        <span className="as-link">Choose a dump or script</span> or drop it here
      </span>
      <span className="quiet small">
        pg_dump, mysqldump, SQLite, SQL Server, DESCRIBE of cqlsh; it does not leave this page.
      </span>
      <input
        type="file"
        className="visually-hidden"
        accept=".sql,.cql,.ddl,.dump,.txt,text/plain"
        aria-label="Choose a dump or script"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          event.target.value = "";
        }}
      />
    </label>
  );
}
