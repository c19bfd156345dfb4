/**
 * The studio's keys (studio.md, "Manners"): those that work everywhere press a command of the registry
 * (`studio-commands.ts`), and the list of keys is made of it. A key that means something where the focus
 * is keeps that meaning.
 */
import { useEffect } from "react";
import { frameCommands } from "./studio-commands.ts";
import { type Studio, stop, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";

export interface KeyGroup {
  readonly name: string;
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[];
}

/** Every key there is, for the list of keys. */
export function keyGroups(studio: Studio): readonly KeyGroup[] {
  const everywhere = frameCommands(studio).flatMap(({ keys, keyWords, words }) =>
    keys ? [{ keys, does: keyWords ?? words }] : [],
  );
  const leaving = { keys: ["Esc"], does: texts.keys.escape };
  return [{ name: texts.keys.everywhere, keys: [...everywhere, leaving] }, ...roomKeys];
}

/** What keys do in places of the rooms, where the focus decides. */
const roomKeys: readonly KeyGroup[] = [
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
      if (event.defaultPrevented || event.altKey) return;
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
  if (event.key === "Escape") return escapeOf(studio);
  const pressed = pressedKeys(event);
  if (!belongsToStudio(event, pressed)) return undefined;
  const command = frameCommands(studio).find(({ keys }) => keys?.join("+") === pressed);
  // The browser's own meaning of the key is not wanted even where the command is not possible now.
  return command && (command.isPossible === false ? () => undefined : command.run);
}

function escapeOf(studio: Studio): (() => void) | undefined {
  const { session, run } = studio;
  if (session.getState().paletteOpen) return undefined;
  if (session.getState().helpOpen) return () => session.setState({ helpOpen: false });
  return run.getState().running ? () => stop(studio) : undefined;
}

/** The keys as a command names them: `Ctrl+Shift+Z`, `[`, `Space`. */
function pressedKeys({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  const name = key === " " ? "Space" : key.length === 1 ? key.toUpperCase() : key;
  if (!ctrlKey && !metaKey) return name;
  // As other programs of the desktop have it.
  if (name === "Y") return "Ctrl+Shift+Z";
  return `Ctrl+${shiftKey ? "Shift+" : ""}${name}`;
}

/** Whether the key is the studio's to take, or belongs to where the focus is. */
function belongsToStudio({ target }: KeyboardEvent, pressed: string): boolean {
  if (pressed === "Ctrl+Enter" || pressed === "Ctrl+K") return true;
  if (pressed.startsWith("Ctrl+")) return !isTyping(target);
  if (pressed === "Space" && answersToSpace(target)) return false;
  return !isTextField(target);
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
