/**
 * Where the person is looking: room, selection, time cursor, theme. Not undoable, kept on this device.
 * The room stands in the address; everything else in localStorage, which may be blocked.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import type { EntityId } from "#document/schema.ts";
import type { StatementId } from "#model/statement.ts";
import type { TimeStep } from "#model/workload.ts";

export type Room = "start" | "model" | "workload" | "optimise" | "results" | "sharding";
export type Theme = "system" | "light" | "dark";
export type ResultView = "time" | "schema" | "plans" | "tree";

export interface Session {
  readonly room: Room;
  readonly theme: Theme;
  /** The time cursor; may lie beyond a timeline that was shortened. */
  readonly step: TimeStep;
  readonly playing: boolean;
  readonly statement: StatementId | undefined;
  readonly entity: EntityId | undefined;
  readonly resultView: ResultView;
  /** The query whose plans are shown. */
  readonly query: StatementId | undefined;
  readonly helpOpen: boolean;
  /** The panel that imports a schema is open, perhaps with a text to begin with. */
  readonly importing: { readonly text?: string; readonly name?: string } | undefined;
  readonly paletteOpen: boolean;
  /** After an edit of frequencies, limits or pins a better answer is looked for without being asked for. */
  readonly improvesAlone: boolean;
}

export const rooms: readonly Room[] = [
  "start",
  "model",
  "workload",
  "optimise",
  "results",
  "sharding",
];

const sessionKey = "tidetable.session";
const themeKey = "tidetable.theme";

export const freshSession: Session = {
  room: "start",
  theme: "system",
  step: 0,
  playing: false,
  statement: undefined,
  entity: undefined,
  resultView: "time",
  query: undefined,
  helpOpen: false,
  importing: undefined,
  paletteOpen: false,
  improvesAlone: true,
};

/** The session of the last visit, and from now on a record of this one. */
export function startSession(): StoreApi<Session> {
  const kept = readKept();
  const session = createStore<Session>(() => ({
    ...freshSession,
    ...kept,
    room: roomFromAddress() ?? kept.room ?? "start",
    theme: readTheme(),
  }));
  session.subscribe((now, before) => {
    if (now.theme !== before.theme) keepTheme(now.theme);
    keepSession(now);
  });
  return session;
}

/** `#/results` → results. */
export function roomFromAddress(): Room | undefined {
  const name = window.location.hash.replace(/^#\/?/, "");
  return rooms.find((room) => room === name);
}

/** Puts the theme on the page, as the snippet in index.html does before the first paint. */
export function showTheme(theme: Theme): void {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const shown = theme === "system" ? (dark ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
}

type Kept = Partial<
  Pick<Session, "room" | "step" | "statement" | "entity" | "resultView" | "query" | "improvesAlone">
>;

/** What was kept, as far as it can be believed: other versions and other hands write there too. */
function readKept(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(sessionKey) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    const field = (name: string): unknown => (kept as Record<string, unknown>)[name];
    const text = (name: string) => {
      const value = field(name);
      return typeof value === "string" ? value : undefined;
    };
    const step = field("step");
    const room = rooms.find((each) => each === field("room"));
    const view = (["time", "schema", "plans", "tree"] as const).find(
      (each) => each === field("resultView"),
    );
    const statement = text("statement");
    const entity = text("entity");
    const query = text("query");
    return {
      ...(room && { room }),
      ...(typeof step === "number" && step >= 0 && { step: Math.floor(step) }),
      ...(statement !== undefined && { statement }),
      ...(entity !== undefined && { entity }),
      ...(view && { resultView: view }),
      ...(query !== undefined && { query }),
      improvesAlone: field("improvesAlone") !== false,
    };
  } catch {
    return {};
  }
}

function keepSession(session: Session): void {
  const { room, step, statement, entity, resultView, query, improvesAlone } = session;
  try {
    localStorage.setItem(
      sessionKey,
      JSON.stringify({ room, step, statement, entity, resultView, query, improvesAlone }),
    );
  } catch {
    // Storage is blocked or full: the session then lasts as long as the page.
  }
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(themeKey);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

function keepTheme(theme: Theme): void {
  showTheme(theme);
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // As above.
  }
}
