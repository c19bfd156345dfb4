/**
 * How relationships run between boxes: which side each end leaves from, where along that side, and
 * the curve between. All edges together, because ends on the same side share its length.
 */

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Side = "left" | "right" | "top" | "bottom";

export interface RouteEnd {
  readonly x: number;
  readonly y: number;
  readonly side: Side;
}

export interface Route {
  readonly ends: readonly [RouteEnd, RouteEnd];
  readonly path: string;
}

export interface RoutedEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Least free space between two boxes for an edge to run straight across it. */
const room = 30;
/** Beyond this many boxes edges no longer look for a way around others: too many to ask on every move. */
const mostForDetours = 80;

/** Direction out of a box. */
export const outwards: Readonly<Record<Side, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  top: [0, -1],
  bottom: [0, 1],
};

interface PlannedEnd {
  readonly edge: string;
  readonly which: 0 | 1;
  readonly box: string;
  readonly side: Side;
  /** Where the other end lies, for the order along the side. */
  readonly towards: number;
}

export function routeEdges(
  boxes: ReadonlyMap<string, Rectangle>,
  edges: readonly RoutedEdge[],
): ReadonlyMap<string, Route> {
  const planned = edges.flatMap((edge) => planEnds(boxes, edge));
  const places = new Map<string, RouteEnd>();
  for (const ends of bySide(planned).values()) {
    const sorted = [...ends].sort((a, b) => a.towards - b.towards || (a.edge < b.edge ? -1 : 1));
    sorted.forEach((end, index) => {
      const box = boxes.get(end.box);
      if (box) places.set(`${end.edge} ${end.which}`, placeOn(box, end.side, index, sorted.length));
    });
  }
  const routes = new Map<string, Route>();
  for (const edge of edges) {
    const first = places.get(`${edge.id} 0`);
    const second = places.get(`${edge.id} 1`);
    if (!first || !second) continue;
    const path = curve(first, second, edge.from === edge.to ? loopReach : undefined);
    routes.set(edge.id, { ends: [first, second], path });
  }
  return routes;
}

function bySide(ends: readonly PlannedEnd[]): ReadonlyMap<string, PlannedEnd[]> {
  const sides = new Map<string, PlannedEnd[]>();
  for (const end of ends) {
    const key = `${end.box} ${end.side}`;
    sides.set(key, [...(sides.get(key) ?? []), end]);
  }
  return sides;
}

function planEnds(boxes: ReadonlyMap<string, Rectangle>, edge: RoutedEdge): readonly PlannedEnd[] {
  const from = boxes.get(edge.from);
  const to = boxes.get(edge.to);
  if (!from || !to) return [];
  const others = boxes.size > mostForDetours ? [] : othersThan(boxes, edge);
  const [firstSide, secondSide] = edge.from === edge.to ? loopSides : sidesOf(from, to, others);
  const end = (which: 0 | 1, side: Side, other: Rectangle): PlannedEnd => ({
    edge: edge.id,
    which,
    box: which === 0 ? edge.from : edge.to,
    side,
    towards:
      side === "left" || side === "right" ? other.y + other.height / 2 : other.x + other.width / 2,
  });
  return [end(0, firstSide, to), end(1, secondSide, from)];
}

function othersThan(boxes: ReadonlyMap<string, Rectangle>, edge: RoutedEdge): readonly Rectangle[] {
  return [...boxes].flatMap(([id, box]) => (id === edge.from || id === edge.to ? [] : [box]));
}

const loopSides: readonly [Side, Side] = ["right", "bottom"];
/** A loop runs around the corner between its sides: its curve reaches further than its ends are apart. */
const loopReach = 1.2;

/** The sides across the wider gap; across the other one where that crosses fewer boxes. */
function sidesOf(
  from: Rectangle,
  to: Rectangle,
  others: readonly Rectangle[],
): readonly [Side, Side] {
  const sideways = Math.max(to.x - (from.x + from.width), from.x - (to.x + to.width));
  const downwards = Math.max(to.y - (from.y + from.height), from.y - (to.y + to.height));
  const horizontal: readonly [Side, Side] = to.x > from.x ? ["right", "left"] : ["left", "right"];
  const vertical: readonly [Side, Side] = to.y > from.y ? ["bottom", "top"] : ["top", "bottom"];
  if (sideways < room && downwards < room) return downwards >= 0 ? vertical : ["right", "right"];
  if (downwards < room) return horizontal;
  if (sideways < room) return vertical;
  const crossed = (sides: readonly [Side, Side]): number =>
    crossings(placeOn(from, sides[0], 0, 1), placeOn(to, sides[1], 0, 1), others);
  const difference = crossed(horizontal) - crossed(vertical);
  if (difference !== 0) return difference < 0 ? horizontal : vertical;
  return sideways >= downwards ? horizontal : vertical;
}

/** How many boxes the curve between two places runs behind. */
function crossings(from: RouteEnd, to: RouteEnd, others: readonly Rectangle[]): number {
  const points = curvePoints(from, to);
  return others.filter((box) =>
    points.some(
      ([x, y]) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height,
    ),
  ).length;
}

/** Points along the curve that `curve` draws. */
function curvePoints(from: RouteEnd, to: RouteEnd): readonly (readonly [number, number])[] {
  const [first, second] = controls(from, to);
  return Array.from({ length: 15 }, (_, index) => {
    const t = (index + 1) / 16;
    const mix = (a: number, b: number, c: number, d: number): number =>
      (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
    return [mix(from.x, first[0], second[0], to.x), mix(from.y, first[1], second[1], to.y)];
  });
}

/** The n-th of several places spread evenly along a side. */
function placeOn(box: Rectangle, side: Side, index: number, of: number): RouteEnd {
  const share = (index + 1) / (of + 1);
  const x = box.x + box.width * share;
  const y = box.y + box.height * share;
  switch (side) {
    case "left":
      return { x: box.x, y, side };
    case "right":
      return { x: box.x + box.width, y, side };
    case "top":
      return { x, y: box.y, side };
    case "bottom":
      return { x, y: box.y + box.height, side };
  }
}

function curve(from: RouteEnd, to: RouteEnd, reachShare?: number): string {
  const points = [...controls(from, to, reachShare), [to.x, to.y] as const];
  const text = points.map(([x, y]) => `${round(x)} ${round(y)}`).join(" ");
  return `M${round(from.x)} ${round(from.y)}C${text}`;
}

/** Control points straight out of both boxes. */
function controls(
  from: RouteEnd,
  to: RouteEnd,
  reachShare?: number,
): readonly [readonly [number, number], readonly [number, number]] {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  const reach =
    reachShare === undefined
      ? Math.min(160, Math.max(60, distance / 2))
      : Math.max(60, distance * reachShare);
  const out = ({ x, y, side }: RouteEnd): readonly [number, number] => [
    x + outwards[side][0] * reach,
    y + outwards[side][1] * reach,
  ];
  return [out(from), out(to)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
