/**
 * The graph as React Flow wants it. Its objects are made anew only where something about them changed:
 * with two hundred boxes a drag must not draw all of them again.
 */
import { applyNodeChanges, type NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { EntityId, Position } from "#document/schema.ts";
import { count } from "../design/format.ts";
import { type Rectangle, routeEdges } from "./edge-routes.ts";
import type { EntityCanvasProps } from "./entity-canvas.tsx";
import type { EntityNodeType } from "./entity-node.tsx";
import { boxHeight, boxWidth, type EntityEdge, edgeWords } from "./graph-rows.ts";
import { useModelActions, useSelection } from "./model-actions.ts";
import { useModelView } from "./model-view.ts";
import type { RelationshipEdgeData, RelationshipEdgeType } from "./relationship-edge.tsx";

/** What is being dragged, or moved by keys; it becomes one change at its end. */
export interface Moves {
  readonly begin: () => void;
  readonly end: () => void;
  /** Puts everything back; false where nothing is being dragged. */
  readonly cancel: () => boolean;
}

type Changes = readonly NodeChange<EntityNodeType>[];
type State = "resting" | "dragged" | "cancelled";

export function useFlowNodes(props: EntityCanvasProps) {
  const wanted = useWantedNodes(props);
  const { move, select } = useModelActions();
  const selection = useSelection();
  const [nodes, setNodes] = useState(wanted);
  const state = useRef<State>("resting");
  const pending = useRef(new Map<EntityId, Position>());
  useEffect(() => {
    setNodes((before) => merged(before, wanted));
  }, [wanted]);

  const commit = useCallback(() => {
    const moved = Object.fromEntries(pending.current);
    pending.current.clear();
    if (Object.keys(moved).length > 0) move(moved);
  }, [move]);
  const latest = useRef(wanted);
  latest.current = wanted;
  const moves = useMemo<Moves>(() => {
    const putBack = (): void => {
      pending.current.clear();
      setNodes((before) => merged(before, latest.current));
    };
    return {
      begin: () => {
        state.current = "dragged";
      },
      end: () => {
        if (state.current === "cancelled") putBack();
        else commit();
        state.current = "resting";
      },
      cancel: () => {
        if (state.current !== "dragged") return false;
        state.current = "cancelled";
        putBack();
        return true;
      },
    };
  }, [commit]);
  useEffect(() => {
    // Arrow keys that are held down make one change.
    const release = (): void => {
      if (state.current === "resting") commit();
    };
    window.addEventListener("keyup", release);
    return () => {
      window.removeEventListener("keyup", release);
      release();
    };
  }, [commit]);

  const onNodesChange = useCallback(
    (changes: Changes) => {
      const isCancelled = state.current === "cancelled";
      const kept = changes.filter(({ type }) => type !== "position" || !isCancelled);
      setNodes((before) => applyNodeChanges([...kept], before));
      for (const change of kept)
        if (change.type === "position" && change.position)
          pending.current.set(change.id, rounded(change.position));
      const chosen = selectedAfter(selection.entities, changes);
      if (chosen) select({ entities: chosen, relationship: undefined });
    },
    [select, selection],
  );
  return { nodes, onNodesChange, moves };
}

/** Undefined where the selection stays as it is. */
function selectedAfter(
  before: readonly EntityId[],
  changes: Changes,
): readonly EntityId[] | undefined {
  const after = new Set(before);
  for (const change of changes) {
    if (change.type !== "select") continue;
    if (change.selected) after.add(change.id);
    else after.delete(change.id);
  }
  const isSame = after.size === before.length && before.every((id) => after.has(id));
  return isSame ? undefined : [...after];
}

/** React Flow's own measurements survive a change of the document; nodes that are as wanted stay the same. */
function merged(
  before: readonly EntityNodeType[],
  wanted: readonly EntityNodeType[],
): EntityNodeType[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return wanted.map((node) => {
    const old = known.get(node.id);
    if (!old) return node;
    const isSame =
      old.data === node.data &&
      old.selected === node.selected &&
      old.position.x === node.position.x &&
      old.position.y === node.position.y;
    return isSame ? old : { ...old, ...node };
  });
}

function useWantedNodes({ boxes, places, faulty, bright }: EntityCanvasProps): EntityNodeType[] {
  const { entities: selected } = useSelection();
  const opened = useStore(useModelView(), (view) =>
    view.opened?.kind === "entity" ? view.opened.id : undefined,
  );
  const kept = useRef(new Map<EntityId, EntityNodeType["data"]>());
  return useMemo(() => {
    const chosen = new Set(selected);
    return boxes.map((box) => {
      const data = {
        box,
        faulty: faulty.has(box.id),
        dim: bright !== undefined && !bright.entities.has(box.id),
        opened: opened === box.id,
      };
      const old = kept.current.get(box.id);
      const same = old && sameFields(old, data) ? old : data;
      kept.current.set(box.id, same);
      return {
        id: box.id,
        type: "entity" as const,
        position: places[box.id] ?? { x: 0, y: 0 },
        data: same,
        width: boxWidth,
        height: boxHeight(box),
        selected: chosen.has(box.id),
        zIndex: data.opened ? 1000 : 0,
        ariaLabel: `Entity ${box.name}, ${count(box.count, "records").exact}`,
      };
    });
  }, [boxes, places, faulty, bright, selected, opened]);
}

export function useFlowEdges(
  nodes: readonly EntityNodeType[],
  { boxes, edges, bright }: EntityCanvasProps,
): RelationshipEdgeType[] {
  const { entities, relationship } = useSelection();
  const view = useModelView();
  const marks = useStore(view, (each) => each.marks);
  const opened = useStore(view, (each) =>
    each.opened?.kind === "relationship" ? each.opened.id : undefined,
  );
  const kept = useRef(new Map<string, RelationshipEdgeType>());
  // Labels hold the names of entities.
  const named = useRef(boxes);
  return useMemo(() => {
    if (named.current !== boxes) kept.current.clear();
    named.current = boxes;
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
    const chosen = new Set(entities);
    return edges.flatMap((edge) => {
      const route = routes.get(edge.id);
      if (!route) return [];
      const lit = edge.id === relationship || edge.ends.some((end) => chosen.has(end.entity));
      const dim = bright !== undefined && !bright.relationships.has(edge.id);
      const old = kept.current.get(edge.id);
      const sameRoute = old?.data && sameRoutes(old.data.route, route) ? old.data.route : route;
      const data = { edge, route: sameRoute, lit, dim, marks, opened: opened === edge.id };
      if (old?.data && sameFields(old.data, data)) return [old];
      const made = flowEdge(edge, data, (entity) => names.get(entity) ?? entity);
      kept.current.set(edge.id, made);
      return [made];
    });
  }, [nodes, boxes, edges, entities, relationship, marks, opened, bright]);
}

function flowEdge(
  edge: EntityEdge,
  data: RelationshipEdgeData,
  nameOf: (entity: EntityId) => string,
): RelationshipEdgeType {
  return {
    id: edge.id,
    type: "relationship",
    source: edge.ends[0].entity,
    target: edge.ends[1].entity,
    data,
    selectable: false,
    // Relationships are reached by keyboard in the outline.
    focusable: false,
    ariaLabel: edgeWords(edge, nameOf),
  };
}

function sameRoutes(a: RelationshipEdgeData["route"], b: RelationshipEdgeData["route"]): boolean {
  return a.path === b.path && a.ends.every((end, index) => end.side === b.ends[index]?.side);
}

function sameFields(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) {
  return Object.entries(b).every(([field, value]) => Object.is(a[field], value));
}

function rounded({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) };
}
