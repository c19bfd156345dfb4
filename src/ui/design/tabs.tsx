/** Tabs with arrow keys; the panel is the caller's, under `panelId`. */
import type { KeyboardEvent } from "react";

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly word: string }[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  readonly panelId: string;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, selected, onSelect, panelId } = props;
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const at = tabs.findIndex((tab) => tab.name === selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.name);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]");
    buttons[tabs.indexOf(next)]?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          className="tab"
          id={`${panelId}-${tab.name}`}
          aria-selected={tab.name === selected}
          aria-controls={panelId}
          tabIndex={tab.name === selected ? 0 : -1}
          onClick={() => onSelect(tab.name)}
        >
          {tab.word}
        </button>
      ))}
    </div>
  );
}
