/** A relationship on the canvas: crow's feet, roles and min..max at both ends. */
import type { Edge, EdgeProps } from "@xyflow/react";
import { memo } from "react";
import { type EndMark, markText } from "#document/multiplicity.ts";
import { outwards, type Route, type RouteEnd } from "./edge-routes.ts";
import type { EdgeEnd, EntityEdge } from "./graph-rows.ts";

export type RelationshipEdgeType = Edge<
  { readonly edge: EntityEdge; readonly route: Route; readonly lit: boolean },
  "relationship"
>;

export const RelationshipEdge = memo(function RelationshipEdge({
  data,
}: EdgeProps<RelationshipEdgeType>) {
  if (!data) return null;
  const { edge, route, lit } = data;
  return (
    <g className={lit ? "relationship lit" : "relationship"}>
      <path d={route.path} className="relationship-line" />
      <EndDrawing place={route.ends[0]} end={edge.ends[0]} />
      <EndDrawing place={route.ends[1]} end={edge.ends[1]} />
    </g>
  );
});

function EndDrawing({ place, end }: { readonly place: RouteEnd; readonly end: EdgeEnd }) {
  const [outX, outY] = outwards[place.side];
  const sideways = outX !== 0;
  return (
    <>
      <path d={markPath(place, end.mark)} className="relationship-mark" />
      {end.mark.least === 0 && (
        <circle
          cx={place.x + outX * 17}
          cy={place.y + outY * 17}
          r="4"
          className="relationship-ring"
        />
      )}
      <text
        className="relationship-label"
        x={place.x + (sideways ? outX * 26 : 10)}
        y={place.y + (sideways ? -6 : outY * 26 + 4)}
        textAnchor={outX < 0 ? "end" : "start"}
      >
        {end.role} <tspan className="min-max">{markText(end.mark)}</tspan>
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
