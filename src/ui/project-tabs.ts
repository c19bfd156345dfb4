/**
 * One project, several tabs: one of them writes, the others read.
 *
 * Decides who writes by a lock of the browser's per project (Web Locks), which goes with the tab that
 * holds it, however that tab ends. A tab that does not get the lock shows the project to be read, follows
 * what the writer saves, and may write once the writer has gone or is asked to hand over: the writer
 * then saves first, so that nothing is lost. Where the browser has no locks (an insecure address),
 * nothing is noticed here, and saving notices it (`storage.ts` never overwrites what another tab saved).
 */
import type { DocumentStore } from "#document/store.ts";
import type { Issue } from "#model/issue.ts";

/** The part of the browser's lock manager that is used. */
export interface Locks {
  readonly request: (
    name: string,
    options: {
      readonly ifAvailable?: boolean;
      readonly steal?: boolean;
      readonly signal?: AbortSignal;
    },
    hold: (lock: unknown) => Promise<void> | undefined,
  ) => Promise<unknown>;
}

/** The part of a broadcast channel that is used. */
export interface Channel {
  readonly postMessage: (message: unknown) => void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface ProjectTabs {
  /** This tab writes from now on; the other one saves, and reads. Returns what went wrong. */
  readonly takeOver: () => Promise<readonly Issue[]>;
  /** Resolves when it is known whether this tab may write the project on the screen. */
  readonly settled: () => Promise<void>;
}

interface Message {
  readonly kind: "saved" | "handOver" | "handedOver";
  readonly projectId: string;
}

/** How long a writer may take to save and hand over before the lock is taken from it, in milliseconds. */
const patience = 2000;

/** Keeps the lock of the project on the screen, whichever that is. */
export function followTabs(
  documents: DocumentStore,
  locks: Locks | undefined = browserLocks(),
  channel: Channel | undefined = browserChannel(),
): ProjectTabs {
  let release: () => void = () => undefined;
  let current: Promise<void> = Promise.resolve();
  let onHandedOver: () => void = () => undefined;

  const projectId = (): string => documents.getState().projectId;
  const tell = (kind: Message["kind"]): void => {
    const message: Message = { kind, projectId: projectId() };
    channel?.postMessage(message);
  };

  /** Asks for the lock of the project on the screen; the one held before is let go. */
  function hold(how: "ask" | "steal"): Promise<void> {
    release();
    if (!locks) return Promise.resolve();
    const id = projectId();
    const leave = new AbortController();
    const whileHeld = new Promise<void>((resolve) => {
      release = () => {
        resolve();
        leave.abort();
      };
    });
    const name = `tidetable/${id}`;
    const wait = (): void => {
      // The writer may close its tab, or open another project: then this one writes.
      locks
        .request(name, { signal: leave.signal }, () => {
          void resume(id);
          return whileHeld;
        })
        .catch(() => undefined);
    };
    return new Promise((decided) => {
      let isHeld = false;
      locks
        .request(name, how === "steal" ? { steal: true } : { ifAvailable: true }, (lock) => {
          isHeld = lock !== null;
          if (!isHeld) {
            readHere(id);
            wait();
          }
          decided();
          return isHeld ? whileHeld : undefined;
        })
        .catch(() => {
          decided();
          // Not held: the browser gives no locks here. Held: a tab has lost its patience and took it.
          if (!isHeld || projectId() !== id || leave.signal.aborted) return;
          readHere(id);
          wait();
        });
    });
  }

  function readHere(id: string): void {
    if (projectId() === id && documents.getState().reading === undefined)
      documents.getState().read("elsewhere");
  }

  /** The writer has gone: what it saved last is shown, and can be edited. */
  async function resume(id: string): Promise<void> {
    if (projectId() !== id || documents.getState().reading !== "elsewhere") return;
    await documents.getState().openStored(id);
  }

  async function handOver(): Promise<void> {
    documents.getState().commit();
    await documents.getState().saveNow();
    // The lock stays here until it is taken, so that no third tab gets in between.
    readHere(projectId());
    tell("handedOver");
  }

  async function follow({ kind, projectId: id }: Message): Promise<void> {
    if (id !== projectId()) return;
    const { reading, refresh } = documents.getState();
    if (kind === "handedOver") onHandedOver();
    else if (kind === "handOver" && reading === undefined) await handOver();
    else if (kind === "saved" && reading === "elsewhere") await refresh();
  }

  if (channel)
    channel.onmessage = ({ data }) => {
      if (isMessage(data)) void follow(data);
    };
  documents.subscribe((now, before) => {
    const isAnother =
      now.projectId !== before.projectId || (before.reading === "shared" && !now.reading);
    if (isAnother && now.reading === "shared") release();
    else if (isAnother) current = hold("ask");
    const isSaved = now.saveState.kind === "saved" && before.saveState.kind === "saving";
    if (isSaved && now.projectId === before.projectId) tell("saved");
  });
  current = hold("ask");

  return {
    settled: () => current,
    takeOver: async () => {
      const id = projectId();
      await new Promise<void>((resolve) => {
        onHandedOver = resolve;
        setTimeout(resolve, patience);
        tell("handOver");
      });
      if (projectId() !== id) return [];
      current = hold("steal");
      await current;
      // What the other tab saved last.
      return documents.getState().openStored(id);
    },
  };
}

function isMessage(data: unknown): data is Message {
  return typeof data === "object" && data !== null && "kind" in data && "projectId" in data;
}

/** Undefined where the address is not secure or the browser is old. */
function browserLocks(): Locks | undefined {
  return (navigator as { readonly locks?: Locks }).locks;
}

function browserChannel(): Channel | undefined {
  return typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("tidetable");
}
