/** The frame: header, rail, the room that is open, and the time band under it. */
import { type ComponentType, lazy, Suspense, useEffect, useMemo, useState } from "react";
import type { Issue } from "#model/issue.ts";
import "./studio.css";
import { EntityHueContext, entityHues } from "./design/family-line.tsx";
import { FaultBoundary } from "./design/fault-boundary.tsx";
import { Icon, type IconName } from "./design/icon.tsx";
import { FileDrop } from "./file-drop.tsx";
import { ImportButton } from "./import-button.tsx";
import { KeyList } from "./key-list.tsx";
import { ProjectBanners } from "./project-banners.tsx";
import { type Room, roomFromAddress, type Session, showTheme } from "./session.ts";
import { SharedLinks } from "./shared-links.tsx";
import { StartRoom } from "./start/start-room.tsx";
import { StudioHeader } from "./studio-header.tsx";
import { useStudioKeys } from "./studio-keys.ts";
import { useDocument, useSession, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import { TimeBand } from "./time-band.tsx";

const ModelRoom = lazy(() =>
  import("./canvas/model-room.tsx").then(({ ModelRoom: room }) => ({ default: room })),
);
const WorkloadRoom = lazy(() =>
  import("./workload/workload-room.tsx").then(({ WorkloadRoom: room }) => ({ default: room })),
);
const OptimiseRoom = lazy(() =>
  import("./optimise/optimise-room.tsx").then(({ OptimiseRoom: room }) => ({ default: room })),
);
const ResultsRoom = lazy(() =>
  import("./results/results-room.tsx").then(({ ResultsRoom: room }) => ({ default: room })),
);
const ImportPanel = lazy(() =>
  import("./import/import-panel.tsx").then(({ ImportPanel: panel }) => ({ default: panel })),
);
const ShardingRoom = lazy(() =>
  import("./sharding/sharding-room.tsx").then(({ ShardingRoom: room }) => ({ default: room })),
);

const CommandPalette = lazy(() =>
  import("./command-palette.tsx").then(({ CommandPalette: palette }) => ({ default: palette })),
);

const roomEntries: readonly {
  readonly room: Room;
  readonly icon: IconName;
  readonly view: ComponentType;
}[] = [
  { room: "start", icon: "start", view: StartRoom },
  { room: "model", icon: "model", view: ModelWithImport },
  { room: "workload", icon: "workload", view: WorkloadRoom },
  { room: "optimise", icon: "optimise", view: OptimiseRoom },
  { room: "results", icon: "results", view: ResultsRoom },
  { room: "sharding", icon: "sharding", view: ShardingRoom },
];

function ModelWithImport() {
  return <ModelRoom tools={<ImportButton />} />;
}

/** What was wrong with what the page was to begin with. */
export interface Opening {
  readonly what: string;
  readonly issues: readonly Issue[];
}

export function Studio({ opening }: { readonly opening: Opening }) {
  useRoomInAddress();
  useDeviceTheme();
  useStudioKeys();
  const room = useSession((session) => session.room);
  const [showIssues, setShowIssues] = useState(opening.issues.length > 0);
  const paletteOpen = useSession((session) => session.paletteOpen);
  const helpOpen = useSession((session) => session.helpOpen);
  const importing = useSession((session) => session.importing !== undefined);
  const entities = useDocument((document) => document.entities);
  const hues = useMemo(
    () => entityHues(Object.entries(entities).map(([id, entity]) => entity.name ?? id)),
    [entities],
  );
  const entry = roomEntries.find((each) => each.room === room);
  const word = texts.rooms[room];
  const View = entry?.view ?? StartRoom;
  return (
    <EntityHueContext value={hues}>
      <div className="studio">
        <button type="button" className="button skip-link" onClick={skipToRoom}>
          {texts.frame.skip}
        </button>
        <StudioHeader />
        <nav className="rail" aria-label={texts.frame.rooms}>
          {roomEntries.map((each) => (
            <a
              key={each.room}
              href={`#/${each.room}`}
              aria-current={each.room === room ? "page" : undefined}
            >
              <Icon name={each.icon} size={20} />
              {texts.rooms[each.room]}
            </a>
          ))}
        </nav>
        <div className="notices">
          <ProjectBanners />
          <FileDrop />
          <SharedLinks />
        </div>
        <main className="room" id="room" tabIndex={-1} aria-label={texts.frame.roomNamed(word)}>
          {showIssues && <OpeningIssues opening={opening} onClose={() => setShowIssues(false)} />}
          {room !== "start" && <h1 className="visually-hidden">{word}</h1>}
          <FaultBoundary key={room} what={texts.frame.theRoom(word)}>
            <Suspense fallback={<p className="loading quiet">{texts.frame.opening}</p>}>
              <View />
            </Suspense>
          </FaultBoundary>
        </main>
        <TimeBand />
        {importing && (
          <Suspense fallback={null}>
            <ImportPanel />
          </Suspense>
        )}
        {helpOpen && <KeyList />}
        {paletteOpen && (
          <Suspense fallback={null}>
            <CommandPalette />
          </Suspense>
        )}
      </div>
    </EntityHueContext>
  );
}

function OpeningIssues(props: { readonly opening: Opening; readonly onClose: () => void }) {
  const { onClose } = props;
  const { what, issues } = props.opening;
  return (
    <div className="message error opening-issues" role="alert">
      <Icon name="error" />
      <div>
        <strong>{what}</strong>
        {issues.map((issue) => (
          <p key={issue.place + issue.message}>
            {issue.message} {issue.hint}
          </p>
        ))}
        <div className="actions">
          <button type="button" className="button small" onClick={onClose}>
            {texts.common.closeMessage}
          </button>
        </div>
      </div>
    </div>
  );
}

function skipToRoom(): void {
  document.getElementById("room")?.focus();
}

/** The address and the session name the same room, whichever changes first. */
function useRoomInAddress(): void {
  const { session } = useStudio();
  useEffect(() => {
    const follow = (): void => {
      const room = roomFromAddress();
      if (room && room !== session.getState().room) session.setState({ room });
    };
    const lead = ({ room }: Session): void => {
      if (roomFromAddress() !== room) window.location.hash = `#/${room}`;
    };
    if (!roomFromAddress()) window.history.replaceState(null, "", `#/${session.getState().room}`);
    window.addEventListener("hashchange", follow);
    const unsubscribe = session.subscribe(lead);
    return () => {
      window.removeEventListener("hashchange", follow);
      unsubscribe();
    };
  }, [session]);
}

function useDeviceTheme(): void {
  const { session } = useStudio();
  useEffect(() => {
    const device = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => showTheme(session.getState().theme);
    device.addEventListener("change", follow);
    return () => device.removeEventListener("change", follow);
  }, [session]);
}
