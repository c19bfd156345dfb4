/**
 * The canvas: the entity graph on React Flow. Boxes stand where the document says, else where the
 * layout puts them; a drag or an arrow key moves one and makes one undoable change.
 */
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type NodeChange,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { EntityId, Position } from "#document/schema.ts";
import { count } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { type Rectangle, routeEdges } from "./edge-routes.ts";
import { layOut } from "./entity-layout.ts";
import { EntityNode, type EntityNodeType } from "./entity-node.tsx";
import {
  boxHeight,
  boxWidth,
  type EntityBox,
  type EntityEdge,
  edgeWords,
  layoutInput,
} from "./graph-rows.ts";
import { RelationshipEdge, type RelationshipEdgeType } from "./relationship-edge.tsx";
import "./canvas.css";

export interface EntityCanvasProps {
  readonly boxes: readonly EntityBox[];
  readonly edges: readonly EntityEdge[];
  readonly positions: Readonly<Record<EntityId, Position>>;
  readonly selected: EntityId | undefined;
  readonly faulty: ReadonlySet<EntityId>;
  readonly onSelect: (entity: EntityId | undefined) => void;
  readonly onMove: (positions: Readonly<Record<EntityId, Position>>) => void;
  /** Puts all boxes where the layout wants them. */
  readonly onArrange: (positions: Readonly<Record<EntityId, Position>>) => void;
  /** The entity to bring into view; a new object for every wish. */
  readonly wish: { readonly entity: EntityId } | undefined;
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
const fitOptions = { padding: 0.06, maxZoom: 1 };
/** Below this zoom boxes show less, in larger letters. */
const farZoom = 0.8;

function Canvas(props: EntityCanvasProps) {
  const { boxes, edges, selected, onSelect, onMove, onArrange } = props;
  const automatic = useMemo(() => {
    const input = layoutInput(boxes, edges);
    return layOut(input.boxes, input.links);
  }, [boxes, edges]);
  const [nodes, setNodes] = useNodes(props, automatic);
  const flowEdges = useFlowEdges(nodes, boxes, edges, selected);
  useWish(props.wish);
  const far = useStore(({ transform }) => transform[2] < farZoom);
  const onMoveStart = useFitting();

  const onNodesChange = useCallback(
    (changes: readonly NodeChange<EntityNodeType>[]) => {
      setNodes((before) => applyNodeChanges([...changes], before));
      const moved = changes.flatMap((change) =>
        change.type === "position" && change.dragging !== true && change.position
          ? [[change.id, rounded(change.position)] as const]
          : [],
      );
      if (moved.length > 0) onMove(Object.fromEntries(moved));
      const picked = changes.find((change) => change.type === "select" && change.selected);
      if (picked && "id" in picked) onSelect(picked.id);
    },
    [setNodes, onMove, onSelect],
  );

  return (
    <ReactFlow<EntityNodeType, RelationshipEdgeType>
      className={far ? "entity-canvas far" : "entity-canvas"}
      aria-label="Entity graph"
      nodes={nodes}
      edges={flowEdges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      onNodesChange={onNodesChange}
      onPaneClick={() => onSelect(undefined)}
      onMoveStart={onMoveStart}
      nodesConnectable={false}
      deleteKeyCode={null}
      selectionKeyCode={null}
      multiSelectionKeyCode={null}
      minZoom={0.03}
      maxZoom={2}
      onlyRenderVisibleElements={boxes.length > 60}
      fitView
      fitViewOptions={fitOptions}
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={1.4} color="var(--edge)" />
      <CanvasButtons
        onArrange={() => onArrange(Object.fromEntries(automatic))}
        boxes={boxes.length}
      />
    </ReactFlow>
  );
}

/** Keeps the whole graph in view as the canvas changes its size, until a person moves or zooms it. */
function useFitting(): (event: MouseEvent | TouchEvent | null) => void {
  const { fitView } = useReactFlow();
  const width = useStore((store) => store.width);
  const height = useStore((store) => store.height);
  const moved = useRef(false);
  useEffect(() => {
    if (width > 0 && height > 0 && !moved.current) void fitView(fitOptions);
  }, [width, height, fitView]);
  // A move without an event is the studio's own.
  return useCallback((event) => {
    if (event) moved.current = true;
  }, []);
}

/** Brings an entity that was picked beside the canvas into view. */
function useWish(wish: EntityCanvasProps["wish"]): void {
  const { fitView, getZoom } = useReactFlow();
  useEffect(() => {
    if (!wish) return;
    const zoom = Math.max(0.6, getZoom());
    void fitView({
      nodes: [{ id: wish.entity }],
      minZoom: zoom,
      maxZoom: zoom,
      duration: moveMilliseconds(),
    });
  }, [wish, fitView, getZoom]);
}

function moveMilliseconds(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160;
}

/** Nodes of the boxes; React Flow's own measurements survive a change of the document. */
function useNodes(props: EntityCanvasProps, automatic: ReadonlyMap<EntityId, Position>) {
  const { boxes, positions, selected, faulty } = props;
  const wanted = useMemo(
    () =>
      boxes.map(
        (box): EntityNodeType => ({
          id: box.id,
          type: "entity",
          position: positions[box.id] ?? automatic.get(box.id) ?? { x: 0, y: 0 },
          data: { box, faulty: faulty.has(box.id) },
          width: boxWidth,
          height: boxHeight(box),
          selected: box.id === selected,
          ariaLabel: `Entity ${box.name}, ${count(box.count, "records").exact}`,
        }),
      ),
    [boxes, positions, automatic, selected, faulty],
  );
  const [nodes, setNodes] = useState(wanted);
  useEffect(() => {
    setNodes((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return wanted.map((node) => ({ ...known.get(node.id), ...node }));
    });
  }, [wanted]);
  return [nodes, setNodes] as const;
}

function useFlowEdges(
  nodes: readonly EntityNodeType[],
  boxes: readonly EntityBox[],
  edges: readonly EntityEdge[],
  selected: EntityId | undefined,
): RelationshipEdgeType[] {
  return useMemo(() => {
    const rectangles = new Map<string, Rectangle>(
      nodes.map(({ id, position, data }) => [
        id,
        { ...position, width: boxWidth, height: boxHeight(data.box) },
      ]),
    );
    const routes = routeEdges(
      rectangles,
      edges.map(({ id, ends }) => ({ id, from: ends[0].entity, to: ends[1].entity })),
    );
    const names = new Map(boxes.map((box) => [box.id, box.name]));
    return edges.flatMap((edge) => {
      const route = routes.get(edge.id);
      const [parent, child] = edge.ends;
      if (!route) return [];
      return [
        {
          id: edge.id,
          type: "relationship" as const,
          source: parent.entity,
          target: child.entity,
          data: { edge, route, lit: selected === parent.entity || selected === child.entity },
          selectable: false,
          focusable: false,
          ariaLabel: edgeWords(edge, (entity) => names.get(entity) ?? entity),
        },
      ];
    });
  }, [nodes, boxes, edges, selected]);
}

function rounded({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) };
}

function CanvasButtons(props: { readonly onArrange: () => void; readonly boxes: number }) {
  const { fitView, zoomIn, zoomOut } = useReactFlow();
  const duration = moveMilliseconds();
  return (
    <Panel position="bottom-left" className="canvas-buttons">
      <button
        type="button"
        className="button small"
        onClick={() => {
          props.onArrange();
          // After the new positions are drawn.
          window.setTimeout(() => void fitView({ ...fitOptions, duration }), 60);
        }}
      >
        <Icon name="layout" size={14} />
        Arrange
      </button>
      <button
        type="button"
        className="button small icon-only"
        aria-label="Show the whole graph"
        title="Show the whole graph"
        onClick={() => void fitView({ ...fitOptions, duration })}
      >
        <Icon name="fit" size={14} />
      </button>
      <button
        type="button"
        className="button small icon-only"
        aria-label="Zoom in"
        title="Zoom in"
        onClick={() => void zoomIn({ duration })}
      >
        +
      </button>
      <button
        type="button"
        className="button small icon-only"
        aria-label="Zoom out"
        title="Zoom out"
        onClick={() => void zoomOut({ duration })}
      >
        −
      </button>
    </Panel>
  );
}
