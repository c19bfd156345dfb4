/** What changes the view of the canvas: the whole graph, nearer, further. */
import { Panel, useReactFlow } from "@xyflow/react";
import { Icon } from "../design/icon.tsx";
import { fitOptions, moveMilliseconds } from "./canvas-motion.ts";

export function CanvasButtons() {
  const { fitView, zoomIn, zoomOut } = useReactFlow();
  const duration = moveMilliseconds();
  return (
    <Panel position="bottom-left" className="canvas-buttons">
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
