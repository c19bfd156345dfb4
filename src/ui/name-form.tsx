/** A name in place of what it names: Enter or Save takes it over, Escape or Cancel leaves it. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { texts } from "./texts.ts";

export function NameForm(props: {
  readonly name: string;
  /** What the field is called. */
  readonly label: string;
  /** Gets the new name, or undefined where it is to stay. */
  readonly onDone: (name: string | undefined) => void;
}) {
  const { name, label, onDone } = props;
  const [draft, setDraft] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    onDone(draft.trim() === "" || draft === name ? undefined : draft);
  };
  return (
    <form className="project-renaming" onSubmit={save}>
      <input
        ref={field}
        className="input"
        aria-label={label}
        value={draft}
        data-typing="true"
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          onDone(undefined);
        }}
      />
      <button type="submit" className="button small">
        {texts.common.save}
      </button>
      <button type="button" className="button small" onClick={() => onDone(undefined)}>
        {texts.common.cancel}
      </button>
    </form>
  );
}
