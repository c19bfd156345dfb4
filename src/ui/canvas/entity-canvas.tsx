/**
 * The canvas: the entity graph on React Flow. Boxes are dragged, selected together, and related handle
 * to handle; a drag or a run of arrow keys is one undoable change, and Escape takes a drag back.
 */
import {
  Background,
  BackgroundVariant,
  ConnectionMode,
  type FinalConnectionState,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore as useFlowStore,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import {
  type MouseEvent as ReactMouseEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";
import type { EntityId, Position, RelationshipId } from "#document/schema.ts";
import { Menu, type MenuEntry } from "../design/menu.tsx";
import { CanvasButtons } from "./canvas-buttons.tsx";
import { farZoom, fitOptions } from "./canvas-motion.ts";
import { EntityNode, type EntityNodeType } from "./entity-node.tsx";
import type { EntityBox, EntityEdge } from "./graph-rows.ts";
import { useModelActions, useSelection } from "./model-actions.ts";
import { canvasEntries } from "./model-menu.ts";
import { useModelView } from "./model-view.ts";
import { RelationshipEdge, type RelationshipEdgeType } from "./relationship-edge.tsx";
import { useCanvasKeys } from "./use-canvas-keys.ts";
import { type Moves, useFlowEdges, useFlowNodes } from "./use-flow.ts";
import { useWishes } from "./use-wishes.ts";
import type { UsedParts } from "./used-parts.ts";
import "./canvas.css";

export interface EntityCanvasProps {
  readonly boxes: readonly EntityBox[];
  readonly edges: readonly EntityEdge[];
  readonly places: Readonly<Record<EntityId, Position>>;
  readonly faulty: ReadonlySet<EntityId>;
  /** What is searched for or in focus; everything else is dimmed. */
  readonly bright: UsedParts | undefined;
}

export function EntityCanvas(props: EntityCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

const nodeTypes = { entity: EntityNode };
const edgeTypes = { relationship: RelationshipEdge };
/** Below this one they are names: letters of attributes would be specks, and cost frames. */
const tinyZoom = 0.35;
/** From this many boxes on, only those in view are drawn, and a small map helps to find the others. */
const manyBoxes = 40;
const manyKeys = ["Shift", "Meta", "Control"];

function Canvas(props: EntityCanvasProps) {
  const { boxes } = props;
  const { select, relate } = useModelActions();
  const view = useModelView();
  const { nodes, onNodesChange, moves } = useFlowNodes(props);
  const flowEdges = useFlowEdges(nodes, props);
  const distance = useFlowStore(({ transform: [, , zoom] }) => distanceAt(zoom));
  const wantsMap = useStore(view, ({ minimap }) => minimap ?? boxes.length > manyBoxes);
  const { menu, closeMenu, ...menus } = useContextMenu();
  const makesEntity = useDoublePress();
  const connection = useConnection();
  const onMoveStart = useFitting();
  useWishes();
  useCanvasKeys();
  useDragEscape(moves);
  return (
    <ReactFlow<EntityNodeType, RelationshipEdgeType>
      className={`entity-canvas ${distance}`}
      aria-label="Entity graph"
      nodes={nodes}
      edges={flowEdges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={onNodesChange}
      onNodeDragStart={moves.begin}
      onNodeDragStop={moves.end}
      onSelectionDragStart={moves.begin}
      onSelectionDragStop={moves.end}
      onNodeDoubleClick={(_, { id }) => view.setState({ opened: { kind: "entity", id } })}
      onEdgeClick={(_, { id }) => select({ entities: [], relationship: id })}
      onEdgeDoubleClick={(_, { id }) => {
        select({ entities: [], relationship: id });
        view.setState({ opened: { kind: "relationship", id } });
      }}
      onPaneClick={() => select({ entities: [], relationship: undefined })}
      onDoubleClick={makesEntity}
      onConnect={({ source, target }) => relate(source, target)}
      onMoveStart={onMoveStart}
      {...connection}
      {...menus}
      connectionMode={ConnectionMode.Loose}
      connectionRadius={26}
      zoomOnDoubleClick={false}
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      multiSelectionKeyCode={manyKeys}
      selectionMode={SelectionMode.Partial}
      minZoom={0.03}
      maxZoom={2}
      onlyRenderVisibleElements={boxes.length > manyBoxes}
      fitView
      fitViewOptions={fitOptions}
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={1.4} color="var(--edge)" />
      {wantsMap && (
        <MiniMap
          pannable
          zoomable
          ariaLabel="Small map of all entities"
          bgColor="var(--surface)"
          maskColor="color-mix(in oklab, var(--ground) 60%, transparent)"
          nodeColor="var(--edge-strong)"
        />
      )}
      <CanvasButtons />
      {menu && <Menu label="Canvas" at={menu.at} entries={menu.entries} onClose={closeMenu} />}
    </ReactFlow>
  );
}

/** What the style sheet calls a zoom. */
function distanceAt(zoom: number): string {
  if (zoom < tinyZoom) return "far tiny";
  return zoom < farZoom ? "far" : "";
}

/** Keeps the whole graph in view as the canvas changes its size, until a person moves or zooms it. */
function useFitting(): (event: MouseEvent | TouchEvent | null) => void {
  const { fitView } = useReactFlow();
  const width = useFlowStore((store) => store.width);
  const height = useFlowStore((store) => store.height);
  const moved = useRef(false);
  useEffect(() => {
    if (width > 0 && height > 0 && !moved.current) void fitView(fitOptions);
  }, [width, height, fitView]);
  // A move without an event is the studio's own.
  return useCallback((event) => {
    if (event) moved.current = true;
  }, []);
}

/** Escape takes back a drag that is going on. */
function useDragEscape(moves: Moves): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !moves.cancel()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [moves]);
}

/** A double press on the empty canvas makes an entity there, its card open. */
function useDoublePress(): (event: ReactMouseEvent) => void {
  const { screenToFlowPosition } = useReactFlow();
  const { addEntity } = useModelActions();
  const view = useModelView();
  return (event) => {
    if (!(event.target instanceof Element) || !event.target.closest(".react-flow__pane")) return;
    if (event.target.closest(".react-flow__node, .react-flow__edge, .react-flow__panel")) return;
    const id = addEntity(screenToFlowPosition({ x: event.clientX, y: event.clientY }));
    if (id !== undefined) view.setState({ opened: { kind: "entity", id } });
  };
}

/** A relationship that ends on a card instead of a handle, or on the empty canvas. */
function useConnection() {
  const { screenToFlowPosition } = useReactFlow();
  const { relate, relateToNew } = useModelActions();
  const from = useRef<Position | undefined>(undefined);
  return {
    onConnectStart: (event: MouseEvent | TouchEvent) => {
      from.current = pointOf(event);
    },
    onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      const source = state.fromNode?.id;
      if (source === undefined || state.isValid) return;
      const at = pointOf(event);
      const start = from.current ?? at;
      // A press that did not go anywhere draws nothing.
      if (Math.hypot(at.x - start.x, at.y - start.y) < 30) return;
      const under = document.elementFromPoint(at.x, at.y);
      const target = under?.closest<HTMLElement>(".react-flow__node")?.dataset["id"];
      if (target !== undefined) relate(source, target);
      else if (under?.closest(".react-flow__pane")) relateToNew(source, screenToFlowPosition(at));
    },
  };
}

function pointOf(event: MouseEvent | TouchEvent): Position {
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}

interface OpenMenu {
  readonly at: Position;
  readonly entries: readonly MenuEntry[];
}

function useContextMenu() {
  const { screenToFlowPosition } = useReactFlow();
  const actions = useModelActions();
  const view = useModelView();
  const selection = useSelection();
  const [menu, setMenu] = useState<OpenMenu>();
  const open = (event: MouseEvent | ReactMouseEvent, target: Target): void => {
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    const place = screenToFlowPosition(at);
    setMenu({ at, entries: canvasEntries({ actions, view, ...target, place }) });
  };
  return {
    menu,
    closeMenu: useCallback(() => setMenu(undefined), []),
    onPaneContextMenu: (event: MouseEvent | ReactMouseEvent) =>
      open(event, { entities: [], relationship: undefined }),
    onNodeContextMenu: (event: ReactMouseEvent, { id }: EntityNodeType) => {
      const isAmong = selection.entities.includes(id);
      const entities = isAmong ? selection.entities : [id];
      if (!isAmong) actions.select({ entities, relationship: undefined });
      open(event, { entities, relationship: undefined });
    },
    onSelectionContextMenu: (event: ReactMouseEvent) => open(event, selection),
    onEdgeContextMenu: (event: ReactMouseEvent, { id }: RelationshipEdgeType) => {
      actions.select({ entities: [], relationship: id });
      open(event, { entities: [], relationship: id });
    },
  };
}

interface Target {
  readonly entities: readonly EntityId[];
  readonly relationship: RelationshipId | undefined;
}
