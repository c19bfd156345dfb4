/** Own records and requests in, as CSV: chosen files, and the column to shard by. */
import { useId, useState } from "react";
import { Icon } from "../design/icon.tsx";
import type { LabChoice } from "./lab-choice.ts";

/** Bytes; a larger file is not read. */
const largestFile = 80e6;

export interface OwnRecordsFormProps {
  readonly choice: LabChoice;
  readonly onChange: (change: (choice: LabChoice) => LabChoice) => void;
}

export function OwnRecordsForm({ choice, onChange }: OwnRecordsFormProps) {
  const { own, usesOwn } = choice;
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const take = async (
    file: File | undefined,
    put: (text: string, name: string) => void,
  ): Promise<void> => {
    if (!file) return;
    if (file.size > largestFile) {
      setProblem(`${file.name} is larger than 80 MB. Take a part of it.`);
      return;
    }
    try {
      put(await file.text(), file.name);
      setProblem(undefined);
    } catch (fault) {
      setProblem(fault instanceof Error ? fault.message : String(fault));
    }
  };
  const columns = own ? headOf(own.records) : [];
  return (
    <div className="own-records">
      <FileButton
        label="Own records (CSV)"
        onFile={(file) =>
          void take(file, (records, name) =>
            onChange(({ story: _, ...before }) => ({
              ...before,
              own: { name, records },
              usesOwn: true,
            })),
          )
        }
      />
      {usesOwn && own && (
        <>
          <FileButton
            label={own.requestsName ?? "Own requests (CSV)"}
            onFile={(file) =>
              void take(file, (requests, requestsName) =>
                onChange((before) => ({ ...before, own: { ...own, requests, requestsName } })),
              )
            }
          />
          <div className="field">
            <label htmlFor={id}>Shard by</label>
            <select
              id={id}
              className="select"
              value={own.key?.[0] ?? columns[0]}
              onChange={(event) =>
                onChange((before) => ({ ...before, own: { ...own, key: [event.target.value] } }))
              }
            >
              {columns.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
          <p className="field-hint">
            Requests: one per row, with columns named as the records’; what a cell leaves empty the
            request does not name. A column “request” says read or write.
          </p>
        </>
      )}
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function FileButton(props: {
  readonly label: string;
  readonly onFile: (file: File | undefined) => void;
}) {
  return (
    <label className="button small file-button">
      <Icon name="upload" size={14} />
      {props.label}
      <input
        type="file"
        className="visually-hidden"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(event) => {
          props.onFile(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </label>
  );
}

/** Names in the first line, for the choice of a key; the worker reads the file properly. */
function headOf(text: string): string[] {
  const line = text.replace(/^\ufeff/, "").split(/\r?\n/, 1)[0] ?? "";
  const separator = [",", ";", "\t"].toSorted(
    (a, b) => line.split(b).length - line.split(a).length,
  )[0];
  return line.split(separator ?? ",").map((name) => name.trim().replace(/^"|"$/g, ""));
}
