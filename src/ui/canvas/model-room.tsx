/** The Model room: the entity graph drawn on a canvas, and beside it the same graph as an outline. */
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { Icon } from "../design/icon.tsx";
import { Split } from "../design/split.tsx";
import { useWidth } from "../design/width.ts";
import { useChecked, useDocument, useDocumentState, useStudio } from "../studio-state.ts";
import { CanvasToolbar, Search } from "./canvas-toolbar.tsx";
import { EntityCanvas } from "./entity-canvas.tsx";
import { entityBoxes, entityEdges } from "./graph-rows.ts";
import {
  drawnPlaces,
  ModelActionsContext,
  modelActions,
  useModelActions,
} from "./model-actions.ts";
import { ModelViewContext, startModelView, useModelView } from "./model-view.ts";
import { Outline } from "./outline.tsx";
import { foundEntities } from "./outline-rows.ts";
import { type UsedParts, usedParts } from "./used-parts.ts";

/** `tools` are further ways to bring entities in, beside “Add entity”. */
export function ModelRoom({ tools }: { readonly tools?: ReactNode }) {
  const projectId = useDocumentState((state) => state.projectId);
  // Another project is looked at anew.
  return <Room key={projectId} tools={tools} />;
}

/** Below this width there is room for one of the two. */
const narrow = 640;

function Room({ tools }: { readonly tools?: ReactNode }) {
  const studio = useStudio();
  const [view] = useState(startModelView);
  const actions = useMemo(() => modelActions(studio, view), [studio, view]);
  const place = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(place, 1200) < narrow;
  const { issues } = useChecked();
  return (
    <ModelViewContext value={view}>
      <ModelActionsContext value={actions}>
        <div className="model-room" ref={place}>
          {isNarrow ? (
            <NarrowRoom tools={tools} />
          ) : (
            <Split
              name="model-outline"
              label="Width of the outline"
              direction="across"
              sized="second"
              initial={430}
              least={300}
              most={720}
              first={<Drawing tools={tools} />}
              second={
                <div className="model-panel">
                  <Outline issues={issues} />
                </div>
              }
            />
          )}
          <NoticeLine />
        </div>
      </ModelActionsContext>
    </ModelViewContext>
  );
}

/** The outline is what one reads on a phone; the drawing is a press away. */
function NarrowRoom({ tools }: { readonly tools?: ReactNode }) {
  const { issues } = useChecked();
  const [draws, setDraws] = useState(false);
  return (
    <div className="narrow-model">
      <div className="canvas-toolbar">
        <button
          type="button"
          className="button small"
          aria-pressed={draws}
          onClick={() => setDraws(!draws)}
        >
          <Icon name="model" size={14} />
          {draws ? "Show the outline" : "Show the drawing"}
        </button>
        {!draws && <Search />}
        {!draws && tools}
      </div>
      {draws ? (
        <Drawing tools={tools} />
      ) : (
        <div className="model-panel">
          <Outline issues={issues} />
        </div>
      )}
    </div>
  );
}

function Drawing({ tools }: { readonly tools?: ReactNode }) {
  const entities = useDocument((document) => document.entities);
  const relationships = useDocument((document) => document.relationships);
  const layout = useDocument((document) => document.layout);
  const { issues } = useChecked();
  const boxes = useMemo(() => entityBoxes(entities, relationships), [entities, relationships]);
  const edges = useMemo(() => entityEdges(relationships), [relationships]);
  const places = useMemo(
    () => drawnPlaces({ entities, relationships, layout }),
    [entities, relationships, layout],
  );
  const faulty = useMemo(
    () =>
      new Set(
        issues
          .filter((issue) => issue.severity === "error" && issue.place.startsWith("entities/"))
          .map((issue) => issue.place.split("/")[1] ?? ""),
      ),
    [issues],
  );
  const bright = useBright();
  return (
    <div className="drawing">
      <CanvasToolbar tools={tools} />
      {bright === "unreadable" && (
        <p className="canvas-note">This statement cannot be read yet, so all entities are shown.</p>
      )}
      <div className="drawing-place">
        <EntityCanvas
          boxes={boxes}
          edges={edges}
          places={places}
          faulty={faulty}
          bright={bright === "unreadable" ? undefined : bright}
        />
        {boxes.length === 0 && <EmptyDrawing />}
      </div>
    </div>
  );
}

/** What a search has found, else what the statement in focus uses; undefined for everything. */
function useBright(): UsedParts | "unreadable" | undefined {
  const document = useDocument((each) => each);
  const { search, focus } = useStore(useModelView());
  const found = foundEntities(document, search);
  const ids = found?.join("/");
  return useMemo(() => {
    if (ids !== undefined)
      return { entities: new Set(ids.split("/")), relationships: new Set<string>() };
    if (focus === undefined || !Object.hasOwn(document.statements, focus)) return undefined;
    return usedParts(document, focus) ?? "unreadable";
  }, [ids, focus, document]);
}

function EmptyDrawing() {
  const { addEntity } = useModelActions();
  const view = useModelView();
  return (
    <div className="empty empty-drawing">
      <h2>No entities yet</h2>
      <p>
        Press the canvas twice, or add an entity here; then drag from the edge of one to another to
        relate them. An example shows a finished drawing.
      </p>
      <div className="actions">
        <button
          type="button"
          className="button primary"
          onClick={() => {
            const id = addEntity();
            if (id !== undefined) view.setState({ opened: { kind: "entity", id } });
          }}
        >
          Add the first entity
        </button>
        <a className="button" href="#/start">
          See the examples
        </a>
      </div>
    </div>
  );
}

function NoticeLine() {
  const view = useModelView();
  const { documents } = useStudio();
  const notice = useStore(view, (each) => each.notice);
  const close = (): void => view.setState({ notice: undefined });
  return (
    <div className="canvas-notice" role="status">
      {notice && (
        <div className={notice.isError ? "message error" : "message"}>
          <span>{notice.text}</span>
          {notice.canUndo && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                documents.getState().undo();
                close();
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            className="button small plain icon-only"
            aria-label="Close this message"
            onClick={close}
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      )}
    </div>
  );
}
