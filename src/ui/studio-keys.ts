/** The studio's keys (studio.md, "Manners"). A key that means something where the focus is keeps that meaning. */
import { useEffect } from "react";
import { moveCursor, optimise, type Studio, stop, useStudio } from "./studio-state.ts";

export const keyGroups: readonly {
  readonly name: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}[] = [
  {
    name: "Everywhere",
    keys: [
      { keys: ["Ctrl", "Z"], does: "Undo" },
      { keys: ["Ctrl", "Shift", "Z"], does: "Redo (also Ctrl Y)" },
      { keys: ["Ctrl", "Enter"], does: "Optimise" },
      { keys: ["Esc"], does: "Stop the run; close the list or panel that is open" },
      { keys: ["["], does: "One time step back" },
      { keys: ["]"], does: "One time step on" },
      { keys: ["Space"], does: "Play or pause the time steps" },
      { keys: ["?"], does: "This list" },
    ],
  },
  {
    name: "At a point of a frequency curve",
    keys: [
      { keys: ["↑", "↓"], does: "More or less; with Shift in larger steps" },
      { keys: ["←", "→"], does: "To the next point" },
      { keys: ["Enter"], does: "Take the number over" },
      { keys: ["Esc"], does: "Put the point back" },
    ],
  },
  {
    name: "In the list of statements",
    keys: [
      { keys: ["↑", "↓"], does: "Next statement; with Shift choose it too" },
      { keys: ["Alt", "↑"], does: "Move the statement up (↓: down)" },
      { keys: ["Ctrl", "Space"], does: "In the text: what can stand here" },
    ],
  },
  {
    name: "In the frequency grid",
    keys: [
      { keys: ["Shift", "→"], does: "Choose a block, to change or copy it" },
      { keys: ["↑", "↓", "←", "→"], does: "Move between cells" },
      { keys: ["Enter"], does: "Edit the cell; take the number over" },
      { keys: ["0–9"], does: "Replace the number" },
      { keys: ["Esc"], does: "Put the number back" },
      { keys: ["Home"], does: "First step; with Ctrl the first statement too" },
      { keys: ["End"], does: "Last step; with Ctrl the last statement too" },
    ],
  },
  {
    name: "On the canvas",
    keys: [
      { keys: ["Tab"], does: "Next entity" },
      { keys: ["Enter"], does: "Select the entity; again, or F2, edits it where it stands" },
      { keys: ["↑", "↓", "←", "→"], does: "Move what is selected" },
      { keys: ["Shift"], does: "Held: select several, by pressing them or drawing a frame" },
      { keys: ["Ctrl", "A"], does: "Select all" },
      { keys: ["Ctrl", "C"], does: "Copy; X cuts, V pastes, D duplicates" },
      { keys: ["Del"], does: "Delete what is selected" },
      { keys: ["Esc"], does: "Take a drag back; close the card" },
    ],
  },
  {
    name: "In the outline",
    keys: [
      { keys: ["Tab"], does: "Next field; everything of the canvas is here too" },
      { keys: ["Alt", "↑"], does: "Move the attribute up; with ↓ down" },
    ],
  },
];

export function useStudioKeys(): void {
  const studio = useStudio();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const act = actionOf(studio, event);
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [studio]);
}

function actionOf(studio: Studio, event: KeyboardEvent): (() => void) | undefined {
  if (event.altKey) return undefined;
  return event.ctrlKey || event.metaKey ? commandOf(studio, event) : plainKeyOf(studio, event);
}

function commandOf(studio: Studio, event: KeyboardEvent): (() => void) | undefined {
  const { undo, redo } = studio.documents.getState();
  const key = event.key.toLowerCase();
  if (key === "enter") return () => optimise(studio);
  if (isTyping(event.target)) return undefined;
  if (key === "z") return event.shiftKey ? redo : undo;
  if (key === "y") return redo;
  return undefined;
}

function plainKeyOf(studio: Studio, event: KeyboardEvent): (() => void) | undefined {
  const { session } = studio;
  if (event.key === "Escape") {
    if (session.getState().helpOpen) return () => session.setState({ helpOpen: false });
    return studio.run.getState().running ? () => stop(studio) : undefined;
  }
  if (isTextField(event.target)) return undefined;
  switch (event.key) {
    case "[":
      return () => moveCursor(studio, session.getState().step - 1);
    case "]":
      return () => moveCursor(studio, session.getState().step + 1);
    case "?":
      return () => session.setState({ helpOpen: !session.getState().helpOpen });
    case " ":
      return answersToSpace(event.target)
        ? undefined
        : () => session.setState({ playing: !session.getState().playing });
    default:
      return undefined;
  }
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable) ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "range"].includes(target.type))
  );
}

/** Undo belongs to a text field only while something in it is not yet taken over. */
function isTyping(target: EventTarget | null): boolean {
  return isTextField(target) && (target as HTMLElement).dataset["typing"] === "true";
}

function answersToSpace(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      "button, a, input, summary, [role=tab], [role=gridcell], [role=slider], [role=separator], .react-flow__node",
    ) !== null
  );
}
