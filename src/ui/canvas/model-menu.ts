/** What the menus of the Model room offer for what is selected. */
import type { StoreApi } from "zustand/vanilla";
import type { Position } from "#document/schema.ts";
import type { MenuEntry } from "../design/menu.tsx";
import { type Alignment, alignments, leastBoxes } from "./alignment.ts";
import { readClipboard, writeClipboard } from "./clipboard.ts";
import type { ModelActions } from "./model-actions.ts";
import type { ModelView, Selection } from "./model-view.ts";

export interface MenuSubject extends Selection {
  readonly actions: ModelActions;
  readonly view: StoreApi<ModelView>;
  /** Where on the canvas the menu was asked for; undefined in the toolbar. */
  readonly place?: Position;
}

const alignmentNames = Object.keys(alignments) as readonly Alignment[];

/** The menu at a place of the canvas: for the entities or the relationship there, else for the canvas itself. */
export function canvasEntries(subject: MenuSubject): readonly MenuEntry[] {
  if (subject.relationship !== undefined) return relationshipEntries(subject);
  return subject.entities.length > 0 ? entityEntries(subject) : paneEntries(subject);
}

/** The menu of the toolbar: everything, with what is not possible now greyed. */
export function editEntries(subject: MenuSubject): readonly MenuEntry[] {
  const { actions, relationship } = subject;
  return [
    ...(relationship === undefined ? entityEntries(subject) : relationshipEntries(subject)),
    { kind: "line", label: "Canvas" },
    pasteEntry(actions, subject.place),
  ];
}

function paneEntries({ actions, view, place }: MenuSubject): readonly MenuEntry[] {
  return [
    {
      kind: "action",
      label: "Add entity here",
      act: () => {
        const id = actions.addEntity(place);
        if (id !== undefined) view.setState({ opened: { kind: "entity", id } });
      },
    },
    pasteEntry(actions, place),
    { kind: "action", label: "Arrange all", act: actions.arrange },
  ];
}

function entityEntries({ actions, view, entities }: MenuSubject): readonly MenuEntry[] {
  const [first, second] = entities;
  const several = entities.length > 1;
  const nothing = first === undefined;
  return [
    {
      kind: "action",
      label: "Edit here",
      keys: "F2",
      disabled: nothing || several,
      act: () => first !== undefined && view.setState({ opened: { kind: "entity", id: first } }),
    },
    {
      kind: "action",
      label: several ? "Relate the two" : "Relate to itself",
      disabled: nothing || entities.length > 2,
      act: () => {
        if (first !== undefined) actions.relate(first, second ?? first);
      },
    },
    {
      kind: "action",
      label: "Copy",
      keys: "Ctrl C",
      disabled: nothing,
      act: () => void writeClipboard(actions.copied() ?? ""),
    },
    {
      kind: "action",
      label: "Duplicate",
      keys: "Ctrl D",
      disabled: nothing,
      act: actions.duplicate,
    },
    {
      kind: "action",
      label: "Delete",
      keys: "Del",
      disabled: nothing,
      act: actions.removeSelected,
    },
    { kind: "line", label: several ? "Align" : "Align (select two or more)" },
    ...alignmentNames.map(
      (how): MenuEntry => ({
        kind: "action",
        label: alignments[how],
        disabled: entities.length < leastBoxes(how),
        act: () => actions.align(how),
      }),
    ),
  ];
}

function relationshipEntries(subject: MenuSubject): readonly MenuEntry[] {
  const { actions, view, relationship: id } = subject;
  if (id === undefined) return [];
  return [
    {
      kind: "action",
      label: "Edit here",
      keys: "F2",
      act: () => view.setState({ opened: { kind: "relationship", id } }),
    },
    { kind: "action", label: "Delete", keys: "Del", act: actions.removeSelected },
  ];
}

function pasteEntry(actions: ModelActions, place: Position | undefined): MenuEntry {
  return {
    kind: "action",
    label: "Paste",
    keys: "Ctrl V",
    act: () => void readClipboard().then((text) => actions.paste(text, place)),
  };
}
