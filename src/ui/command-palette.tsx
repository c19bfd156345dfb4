/** The palette: a few words, the commands that hold them, Enter. A combobox with its list in a dialog. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./design/icon.tsx";
import { matchingCommands } from "./palette-rows.ts";
import { type StudioCommand, useFrameCommands } from "./studio-commands.ts";
import { useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./palette.css";

const words = texts.palette;

export function CommandPalette() {
  const { session } = useStudio();
  const dialog = useRef<HTMLDialogElement>(null);
  const commands = useFrameCommands();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const rows = matchingCommands(commands, query).filter((row) => row.id !== "palette");
  const at = Math.min(chosen, rows.length - 1);
  const close = (): void => {
    // At once, so that the focus is back where it was, and a command may move it.
    dialog.current?.close();
    session.setState({ paletteOpen: false });
  };
  const run = (command: StudioCommand | undefined): void => {
    if (!command) return;
    close();
    command.run();
  };

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is chosen, perhaps out of sight.
  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, query]);

  const move = (by: number): void => setChosen((at + by + rows.length) % Math.max(1, rows.length));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={dialog}
      className="palette"
      aria-label={words.title}
      onCancel={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={words.field}
          aria-expanded={rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? `${id}-${at}` : undefined}
          placeholder={words.placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") move(1);
            else if (event.key === "ArrowUp") move(-1);
            else if (event.key === "Enter") run(rows[at]);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </div>
      <div className="palette-list" id={`${id}-list`} role="listbox" aria-label={words.title}>
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen row.
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field runs the chosen row.
          <div
            key={row.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => index !== at && setChosen(index)}
            onClick={() => run(row)}
          >
            <span>{row.words}</span>
            <span className="quiet small">{row.group}</span>
            {row.keys && (
              <span className="palette-keys">
                {row.keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </span>
            )}
          </div>
        ))}
      </div>
      <p className="palette-count quiet small" role="status">
        {rows.length === 0 ? words.none : words.count(rows.length)}
      </p>
    </dialog>
  );
}
