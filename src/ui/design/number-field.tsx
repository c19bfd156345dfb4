/**
 * A number with its unit that is taken over on Enter or on leaving the field, and put back with
 * Escape. What cannot be read stays in the field with the reason under it; nothing typed is lost.
 */
import { type ReactNode, useId, useState } from "react";
import type { Issue } from "#model/issue.ts";
import { exactNumber, readNumber } from "./format.ts";

export interface NumberFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: number | undefined;
  /** Returns what is wrong with the number, if anything. `undefined`: the field was emptied. */
  readonly onCommit: (value: number | undefined) => readonly Issue[];
  readonly unit?: ReactNode;
  /** Shown in an empty field: the default that then holds. */
  readonly placeholder?: string;
  readonly optional?: boolean;
  readonly read?: (text: string) => number | undefined;
  readonly show?: (value: number) => string;
  readonly width?: number;
  readonly hint?: string;
}

const plainNumber = (value: number): string => exactNumber(value);

export function NumberField(props: NumberFieldProps) {
  const { label, value, onCommit, unit, placeholder, optional = false, hint, width = 110 } = props;
  const { read = readNumber, show = plainNumber, hideLabel = false } = props;
  const id = useId();
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const shown = value === undefined ? "" : show(value);

  const commit = (): void => {
    if (draft === undefined || draft.trim() === shown) {
      setDraft(undefined);
      setProblem(undefined);
      return;
    }
    const empty = draft.trim() === "";
    const number = empty ? undefined : read(draft);
    if (number === undefined && !(empty && optional)) {
      setProblem(empty ? "Enter a number." : `“${draft}” is no number.`);
      return;
    }
    const error = onCommit(number).find((issue) => issue.severity === "error");
    setProblem(error && [error.message, error.hint].filter(Boolean).join(" "));
    if (!error) setDraft(undefined);
  };

  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      <span className="with-unit">
        <input
          id={id}
          className="input number"
          inputMode="decimal"
          autoComplete="off"
          style={{ width }}
          value={draft ?? shown}
          placeholder={placeholder}
          aria-invalid={problem !== undefined}
          data-typing={draft !== undefined}
          aria-describedby={problem || hint ? `${id}-note` : undefined}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            if (event.key === "Escape" && draft !== undefined) {
              event.stopPropagation();
              setDraft(undefined);
              setProblem(undefined);
            }
          }}
        />
        {unit !== undefined && <span className="quiet">{unit}</span>}
      </span>
      {problem !== undefined ? (
        <span id={`${id}-note`} className="field-error" role="alert">
          {problem}
        </span>
      ) : (
        hint && (
          <span id={`${id}-note`} className="field-hint">
            {hint}
          </span>
        )
      )}
    </div>
  );
}
