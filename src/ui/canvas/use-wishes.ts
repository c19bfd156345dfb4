/** Brings into view what was picked beside the canvas, opened on it, or arranged. */
import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { EntityId } from "#document/schema.ts";
import { farZoom, fitOptions, moveMilliseconds } from "./canvas-motion.ts";
import { useModelView } from "./model-view.ts";

/** Milliseconds until what has just been made, or moved, is drawn. */
const untilDrawn = 60;
/** Width and height of a card that is open, with some air. */
const openSize = { width: 450, height: 300 };

export function useWishes(): void {
  const { fitView, getZoom, getNode } = useReactFlow();
  const flow = useStoreApi();
  const view = useModelView();
  const { wish, opened, wholeWish } = useStore(view);
  useEffect(() => {
    const isInView = (id: EntityId, size?: typeof openSize): boolean => {
      const node = getNode(id);
      const { width, height, transform } = flow.getState();
      const [left, top, zoom] = transform;
      if (!node) return false;
      const x = node.position.x * zoom + left;
      const y = node.position.y * zoom + top;
      const right = x + (size?.width ?? node.width ?? 0) * zoom;
      const bottom = y + (size?.height ?? node.height ?? 0) * zoom;
      return x >= 0 && y >= 0 && right <= width && bottom <= height;
    };
    const show = (id: EntityId, zoom: number): void => {
      const duration = moveMilliseconds();
      void fitView({ nodes: [{ id }], minZoom: zoom, maxZoom: zoom, duration });
    };
    const timer = setTimeout(() => {
      // Fields that are smaller than letters cannot be read.
      if (opened?.kind === "entity") {
        if (getZoom() < farZoom || !isInView(opened.id, openSize)) show(opened.id, 1);
      } else if (wish) {
        if (!isInView(wish.entity)) show(wish.entity, Math.max(0.6, getZoom()));
        view.setState({ wish: undefined });
      }
    }, untilDrawn);
    return () => clearTimeout(timer);
  }, [wish, opened, fitView, getZoom, getNode, flow, view]);
  useEffect(() => {
    if (!wholeWish) return undefined;
    const timer = setTimeout(
      () => void fitView({ ...fitOptions, duration: moveMilliseconds() }),
      untilDrawn,
    );
    return () => clearTimeout(timer);
  }, [wholeWish, fitView]);
}
