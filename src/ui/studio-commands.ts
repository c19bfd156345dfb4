/**
 * Everything that can be done from anywhere, once: the palette lists it, the keys press it, the help is
 * made of it. What only a part of the page can do is added by that part while it is shown.
 */
import { useEffect, useRef } from "react";
import { redoLabel, undoLabel } from "#document/history.ts";
import { writeDocument } from "#document/read.ts";
import { emptyDocument, entityName } from "#document/schema.ts";
import { examples } from "#examples/examples.ts";
import { download, fileName } from "./download.ts";
import type { Room, Theme } from "./session.ts";
import {
  goTo,
  goToPlace,
  moveCursor,
  openDocument,
  openText,
  optimise,
  type Studio,
  stop,
  useStudio,
} from "./studio-state.ts";
import { texts } from "./texts.ts";

export interface StudioCommand {
  readonly id: string;
  /** What it does, beginning with a verb. */
  readonly words: string;
  /** Under which it is listed. */
  readonly group: string;
  /** As they are written on keys, Ctrl standing for ⌘ as well; e.g. `["Ctrl", "Shift", "Z"]`. */
  readonly keys?: readonly string[];
  /** In the list of keys, where the words name something that changes. */
  readonly keyWords?: string;
  /** Undefined where it is always possible. */
  readonly isPossible?: boolean;
  readonly run: () => void;
}

const words = texts.commands;

/** What can be done from anywhere now, in the order in which it is listed. */
export function frameCommands(studio: Studio): readonly StudioCommand[] {
  return [
    ...runCommands(studio),
    ...editCommands(studio),
    ...roomCommands(studio),
    ...timeCommands(studio),
    ...projectCommands(studio),
    ...scenarioCommands(studio),
    ...pageCommands(studio),
    ...placeCommands(studio),
    ...[...contributed].flatMap((each) => each()),
  ];
}

function runCommands(studio: Studio): readonly StudioCommand[] {
  const { document } = studio.documents.getState();
  const isRunning = studio.run.getState().running !== undefined;
  const group = words.groups.run;
  return [
    {
      id: "optimise",
      words: words.optimise,
      group,
      keys: ["Ctrl", "Enter"],
      isPossible: Object.keys(document.statements).length > 0 && !isRunning,
      run: () => optimise(studio),
    },
    { id: "stop", words: words.stop, group, isPossible: isRunning, run: () => stop(studio) },
  ];
}

function editCommands(studio: Studio): readonly StudioCommand[] {
  const { history, undo, redo } = studio.documents.getState();
  const [undone, redone] = [undoLabel(history), redoLabel(history)];
  const group = words.groups.edit;
  return [
    {
      id: "undo",
      words: undone === undefined ? words.undo : words.undoNamed(undone),
      keyWords: words.undo,
      group,
      keys: ["Ctrl", "Z"],
      isPossible: undone !== undefined,
      run: undo,
    },
    {
      id: "redo",
      words: redone === undefined ? words.redo : words.redoNamed(redone),
      keyWords: words.redoAlso,
      group,
      keys: ["Ctrl", "Shift", "Z"],
      isPossible: redone !== undefined,
      run: redo,
    },
  ];
}

function roomCommands(studio: Studio): readonly StudioCommand[] {
  return (Object.keys(texts.rooms) as Room[]).map((room) => ({
    id: `room ${room}`,
    words: words.goToRoom(texts.rooms[room]),
    group: words.groups.rooms,
    run: () => goTo(studio, room),
  }));
}

function timeCommands(studio: Studio): readonly StudioCommand[] {
  const { session, documents } = studio;
  const { step, playing } = session.getState();
  const { steps } = documents.getState().document.timeline;
  const group = words.groups.time;
  return [
    {
      id: "step back",
      words: words.stepBack,
      group,
      keys: ["["],
      isPossible: step > 0,
      run: () => moveCursor(studio, session.getState().step - 1),
    },
    {
      id: "step on",
      words: words.stepOn,
      group,
      keys: ["]"],
      isPossible: step < steps - 1,
      run: () => moveCursor(studio, session.getState().step + 1),
    },
    {
      id: "play",
      words: playing ? words.pause : words.play,
      keyWords: words.playOrPause,
      group,
      keys: ["Space"],
      isPossible: steps > 1,
      run: () => session.setState({ playing: !session.getState().playing }),
    },
  ];
}

function projectCommands(studio: Studio): readonly StudioCommand[] {
  const group = words.groups.project;
  return [
    {
      id: "new project",
      words: words.newProject,
      group,
      run: () => void openDocument(studio, emptyDocument(texts.projects.untitled)),
    },
    {
      id: "import",
      words: words.importSchema,
      group,
      run: () => studio.session.setState({ importing: {} }),
    },
    {
      id: "download project",
      words: words.downloadProject,
      group,
      run: () => {
        const { present } = studio.documents.getState().history;
        download(fileName(present.name), writeDocument(present));
      },
    },
    ...examples.map((example) => ({
      id: `example ${example.id}`,
      words: words.openExample(example.title),
      group: words.groups.examples,
      run: () => void example.load().then((file) => openText(studio, JSON.stringify(file))),
    })),
  ];
}

function scenarioCommands(studio: Studio): readonly StudioCommand[] {
  const { history, scenario, showScenario } = studio.documents.getState();
  const scenarios = Object.entries(history.present.scenarios ?? {});
  if (scenarios.length === 0) return [];
  const group = texts.scenarios.menu;
  return [
    {
      id: "scenario",
      words: texts.scenarios.leave,
      group,
      isPossible: scenario !== undefined,
      run: () => showScenario(undefined),
    },
    ...scenarios.map(([id, { name }]) => ({
      id: `scenario ${id}`,
      words: words.showScenario(name),
      group,
      isPossible: scenario !== id,
      run: () => showScenario(id),
    })),
  ];
}

function pageCommands({ session }: Studio): readonly StudioCommand[] {
  const group = words.groups.page;
  const themes: readonly Theme[] = ["system", "light", "dark"];
  return [
    {
      id: "palette",
      words: words.palette,
      group,
      keys: ["Ctrl", "K"],
      run: () => session.setState({ paletteOpen: !session.getState().paletteOpen }),
    },
    {
      id: "help",
      words: words.help,
      group,
      keys: ["?"],
      run: () => session.setState({ helpOpen: !session.getState().helpOpen }),
    },
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      words: words.theme(texts.themes[theme]),
      group,
      isPossible: session.getState().theme !== theme,
      run: () => session.setState({ theme }),
    })),
  ];
}

/** Every entity and statement, to be gone to by its name. */
function placeCommands(studio: Studio): readonly StudioCommand[] {
  const { document } = studio.documents.getState();
  const group = words.groups.places;
  return [
    ...Object.entries(document.entities).map(([id, entity]) => ({
      id: `entity ${id}`,
      words: words.goToEntity(entityName(id, entity)),
      group,
      run: () => goToPlace(studio, `entities/${id}`),
    })),
    ...Object.entries(document.statements).map(([id, { label }]) => ({
      id: `statement ${id}`,
      words: words.goToStatement(label ?? id),
      group,
      run: () => goToPlace(studio, `statements/${id}`),
    })),
  ];
}

// ------------------------------------------------------------------ what a part of the page can do

type Contribution = () => readonly StudioCommand[];

const contributed = new Set<Contribution>();

/** Adds commands to the palette for as long as the component is shown; they may change with every drawing. */
export function useCommands(commands: readonly StudioCommand[]): void {
  const now = useRef(commands);
  useEffect(() => {
    now.current = commands;
  });
  useEffect(() => {
    const contribution: Contribution = () => now.current;
    contributed.add(contribution);
    return () => void contributed.delete(contribution);
  }, []);
}

/** The commands as they are at this moment. */
export function useFrameCommands(): readonly StudioCommand[] {
  return frameCommands(useStudio());
}
