/**
 * A relationship on the canvas: the roles at both ends, with crow's feet or min..max as the person
 * chose. Opened, a card in the middle with its fields.
 */
import { type Edge, EdgeLabelRenderer, type EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { type EndMark, markText } from "#document/multiplicity.ts";
import { outwards, type Route, type RouteEnd } from "./edge-routes.ts";
import type { EdgeEnd, EntityEdge } from "./graph-rows.ts";
import { type MarkStyle, useModelView } from "./model-view.ts";
import { RelationshipFields } from "./relationship-fields.tsx";

export interface RelationshipEdgeData extends Record<string, unknown> {
  readonly edge: EntityEdge;
  readonly route: Route;
  readonly lit: boolean;
  readonly dim: boolean;
  readonly marks: MarkStyle;
  readonly opened: boolean;
}

export type RelationshipEdgeType = Edge<RelationshipEdgeData, "relationship">;

export const RelationshipEdge = memo(function RelationshipEdge({
  data,
}: EdgeProps<RelationshipEdgeType>) {
  if (!data) return null;
  const { edge, route, lit, dim, marks, opened } = data;
  const looks = [lit && "lit", dim && "dim"].filter(Boolean);
  return (
    <>
      <g className={["relationship", ...looks].join(" ")}>
        <path d={route.path} className="relationship-line" />
        <path d={route.path} className="react-flow__edge-interaction" />
        <EndDrawing place={route.ends[0]} end={edge.ends[0]} marks={marks} />
        <EndDrawing place={route.ends[1]} end={edge.ends[1]} marks={marks} />
      </g>
      {opened && <OpenRelationship edge={edge} route={route} />}
    </>
  );
});

function OpenRelationship({ edge, route }: { readonly edge: EntityEdge; readonly route: Route }) {
  const view = useModelView();
  const [from, to] = route.ends;
  const close = (): void => view.setState({ opened: undefined });
  return (
    <EdgeLabelRenderer>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape on its way out of the fields. */}
      <div
        className="open-card of-relationship nodrag nopan nowheel"
        style={{
          transform: `translate(-50%, -50%) translate(${(from.x + to.x) / 2}px, ${(from.y + to.y) / 2}px)`,
        }}
        onDoubleClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key === "Escape" && !event.defaultPrevented) {
            event.preventDefault();
            close();
          }
          event.stopPropagation();
        }}
      >
        <RelationshipFields id={edge.id} />
        <button type="button" className="button small" onClick={close}>
          Done
        </button>
      </div>
    </EdgeLabelRenderer>
  );
}

function EndDrawing(props: {
  readonly place: RouteEnd;
  readonly end: EdgeEnd;
  readonly marks: MarkStyle;
}) {
  const { place, end, marks } = props;
  const [outX, outY] = outwards[place.side];
  const sideways = outX !== 0;
  const crowsFeet = marks === "crowsFeet";
  const out = crowsFeet ? 26 : 8;
  return (
    <>
      {crowsFeet && <path d={markPath(place, end.mark)} className="relationship-mark" />}
      {crowsFeet && end.mark.least === 0 && (
        <circle
          cx={place.x + outX * 17}
          cy={place.y + outY * 17}
          r="4"
          className="relationship-ring"
        />
      )}
      <text
        className="relationship-label"
        x={place.x + (sideways ? outX * out : 10)}
        y={place.y + (sideways ? -6 : outY * 26 + 4)}
        textAnchor={outX < 0 ? "end" : "start"}
      >
        {end.role}
        {!crowsFeet && <tspan className="min-max"> {markText(end.mark)}</tspan>}
      </text>
    </>
  );
}

/** A crow's foot for many, a bar for one; a second bar where at least one is a must. */
function markPath({ x, y, side }: RouteEnd, mark: EndMark): string {
  const [outX, outY] = outwards[side];
  const [acrossX, acrossY] = [outY, outX];
  const at = (out: number, across: number): string =>
    `${x + outX * out + acrossX * across} ${y + outY * out + acrossY * across}`;
  const bar = (out: number): string => `M${at(out, -6)}L${at(out, 6)}`;
  const most = mark.most === "n" ? `M${at(0, -7)}L${at(13, 0)}L${at(0, 7)}` : bar(8);
  const least = mark.least === 1 ? bar(mark.most === "n" ? 16 : 13) : "";
  return most + least;
}
