/**
 * A menu at a place on the page: arrows move, Enter chooses, Escape or a press elsewhere closes it, and
 * the focus goes back to where it was.
 */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Icon } from "./icon.tsx";

export type MenuEntry =
  | {
      readonly kind: "action";
      readonly label: string;
      readonly act: () => void;
      readonly disabled?: boolean;
      /** The keys that do the same. */
      readonly keys?: string;
    }
  | {
      readonly kind: "choice";
      readonly label: string;
      readonly chosen: boolean;
      readonly act: () => void;
    }
  | { readonly kind: "line"; readonly label: string };

export interface MenuProps {
  readonly label: string;
  /** Upper left corner, in pixels of the window; moved where the menu would not fit. */
  readonly at: { readonly x: number; readonly y: number };
  readonly entries: readonly MenuEntry[];
  readonly onClose: () => void;
}

export function Menu({ label, at, entries, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  useLayoutEffect(() => {
    const size = menu.current?.getBoundingClientRect();
    if (!size) return;
    setPlace({
      x: Math.max(4, Math.min(at.x, window.innerWidth - size.width - 4)),
      y: Math.max(4, Math.min(at.y, window.innerHeight - size.height - 4)),
    });
  }, [at]);
  useEffect(() => {
    const before = document.activeElement;
    const shown = menu.current;
    if (shown) itemsOf(shown)[0]?.focus();
    return () => {
      const { activeElement } = document;
      // What was chosen may have taken the focus already.
      const isNowhere = activeElement === document.body || shown?.contains(activeElement);
      if (isNowhere && before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) onClose();
    };
    window.addEventListener("pointerdown", press, true);
    return () => window.removeEventListener("pointerdown", press, true);
  }, [onClose]);

  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const items = itemsOf(event.currentTarget);
    const now = items.indexOf(document.activeElement as HTMLButtonElement);
    const next = {
      ArrowDown: (now + 1) % items.length,
      ArrowUp: (now - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    const closes = event.key === "Escape" || event.key === "Tab";
    if (next === undefined && !closes) return;
    event.preventDefault();
    event.stopPropagation();
    if (closes) onClose();
    else if (next !== undefined) items[next]?.focus();
  };

  return createPortal(
    <div
      ref={menu}
      className="menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      style={{ left: place.x, top: place.y }}
      onKeyDown={keys}
    >
      {entries.map((entry) => (
        <MenuLine key={`${entry.kind} ${entry.label}`} entry={entry} onClose={onClose} />
      ))}
    </div>,
    document.body,
  );
}

function MenuLine(props: { readonly entry: MenuEntry; readonly onClose: () => void }) {
  const { entry, onClose } = props;
  if (entry.kind === "line")
    return (
      <div className="menu-line" role="presentation">
        {entry.label}
      </div>
    );
  const act = (): void => {
    onClose();
    entry.act();
  };
  if (entry.kind === "choice")
    return (
      <button
        type="button"
        className="menu-item"
        role="menuitemcheckbox"
        aria-checked={entry.chosen}
        tabIndex={-1}
        onClick={act}
      >
        <span className="menu-mark">{entry.chosen && <Icon name="done" size={14} />}</span>
        {entry.label}
      </button>
    );
  return (
    <button
      type="button"
      className="menu-item"
      role="menuitem"
      tabIndex={-1}
      disabled={entry.disabled === true}
      onClick={act}
    >
      <span className="menu-mark" />
      {entry.label}
      {entry.keys !== undefined && <span className="menu-keys">{entry.keys}</span>}
    </button>
  );
}

function itemsOf(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
}

/** A button with a menu under it. */
export function MenuButton(props: {
  readonly label: string;
  /** Where the button shows another thing than its label. */
  readonly children?: React.ReactNode;
  readonly className?: string;
  readonly entries: () => readonly MenuEntry[];
}) {
  const { label, children, className = "button small", entries } = props;
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>();
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        aria-label={children === undefined ? undefined : label}
        title={children === undefined ? undefined : label}
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom + 4 });
        }}
      >
        {children ?? (
          <>
            {label}
            <Icon name="down" size={12} />
          </>
        )}
      </button>
      {at && <Menu label={label} at={at} entries={entries()} onClose={() => setAt(undefined)} />}
    </>
  );
}
