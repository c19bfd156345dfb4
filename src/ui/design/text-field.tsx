/**
 * A line of text that is taken over on Enter or on leaving the field, and put back with Escape, as
 * `NumberField` does with numbers. What is refused stays in the field with the reason under it.
 */
import { useEffect, useId, useRef, useState } from "react";
import type { Issue } from "#model/issue.ts";

export interface TextFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  /** Returns what is wrong with the text, if anything. */
  readonly onCommit: (text: string) => readonly Issue[];
  readonly className?: string;
  /** Takes the focus, its text selected, when it appears. */
  readonly takesFocus?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel = false, value, onCommit, className = "", takesFocus = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (takesFocus) input.current?.select();
  }, [takesFocus]);

  const putBack = (): void => {
    setDraft(undefined);
    setProblem(undefined);
  };
  const commit = (): void => {
    const text = draft?.trim();
    if (text === undefined || text === value) {
      putBack();
      return;
    }
    const error = onCommit(text).find((issue) => issue.severity === "error");
    if (error) setProblem([error.message, error.hint].filter(Boolean).join(" "));
    else putBack();
  };

  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className={`input ${className}`}
        autoComplete="off"
        spellCheck={false}
        value={draft ?? value}
        aria-invalid={problem !== undefined}
        data-typing={draft !== undefined}
        aria-describedby={problem ? `${id}-note` : undefined}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            commit();
          }
          if (event.key === "Escape" && draft !== undefined) {
            event.stopPropagation();
            event.preventDefault();
            putBack();
          }
        }}
      />
      {problem !== undefined && (
        <span id={`${id}-note`} className="field-error" role="alert">
          {problem}
        </span>
      )}
    </div>
  );
}
