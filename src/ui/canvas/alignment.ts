/** Where boxes stand after they were aligned or spread, and where there is room for another one. */
import type { Position } from "#document/schema.ts";
import type { Rectangle } from "./edge-routes.ts";

type Edge = "left" | "centre" | "right" | "top" | "middle" | "bottom";

export type Alignment = Edge | "across" | "down";

export const alignments: Readonly<Record<Alignment, string>> = {
  left: "Align left edges",
  centre: "Align centres",
  right: "Align right edges",
  top: "Align top edges",
  middle: "Align middles",
  bottom: "Align bottom edges",
  across: "Spread evenly across",
  down: "Spread evenly down",
};

type Boxes = ReadonlyMap<string, Rectangle>;
type Positions = Readonly<Record<string, Position>>;

/** How many boxes an alignment needs to do anything. */
export function leastBoxes(how: Alignment): number {
  return how === "across" || how === "down" ? 3 : 2;
}

/** New positions of all boxes, in whole pixels. Spreading keeps the outermost two and makes the gaps equal. */
export function aligned(boxes: Boxes, how: Alignment): Positions {
  if (how === "across" || how === "down") return spread(boxes, how);
  const all = [...boxes.values()];
  const hull: Hull = {
    left: Math.min(...all.map(({ x }) => x)),
    right: Math.max(...all.map(({ x, width }) => x + width)),
    top: Math.min(...all.map(({ y }) => y)),
    bottom: Math.max(...all.map(({ y, height }) => y + height)),
  };
  return Object.fromEntries([...boxes].map(([id, box]) => [id, whole(alignedTo(hull, box, how))]));
}

interface Hull {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function alignedTo(hull: Hull, { x, y, width, height }: Rectangle, edge: Edge): Position {
  switch (edge) {
    case "left":
      return { x: hull.left, y };
    case "centre":
      return { x: (hull.left + hull.right - width) / 2, y };
    case "right":
      return { x: hull.right - width, y };
    case "top":
      return { x, y: hull.top };
    case "middle":
      return { x, y: (hull.top + hull.bottom - height) / 2 };
    case "bottom":
      return { x, y: hull.bottom - height };
  }
}

function spread(boxes: Boxes, how: "across" | "down"): Positions {
  const start = (box: Rectangle): number => (how === "across" ? box.x : box.y);
  const size = (box: Rectangle): number => (how === "across" ? box.width : box.height);
  const inOrder = [...boxes].sort(([, a], [, b]) => start(a) - start(b));
  const [, first] = inOrder[0] ?? [];
  const [, last] = inOrder.at(-1) ?? [];
  if (!first || !last) return {};
  const filled = inOrder.reduce((sum, [, box]) => sum + size(box), 0);
  const gap = (start(last) + size(last) - start(first) - filled) / Math.max(1, inOrder.length - 1);
  let at = start(first);
  return Object.fromEntries(
    inOrder.map(([id, box]) => {
      const place = how === "across" ? { x: at, y: box.y } : { x: box.x, y: at };
      at += size(box) + gap;
      return [id, whole(place)];
    }),
  );
}

/** The place next to the wish where a box overlaps no other: rings of tries around it. */
export function freePlace(
  boxes: Boxes,
  size: { readonly width: number; readonly height: number },
  wish: Position,
): Position {
  const room = 24;
  const isFree = ({ x, y }: Position): boolean =>
    [...boxes.values()].every(
      (box) =>
        x + size.width + room <= box.x ||
        box.x + box.width + room <= x ||
        y + size.height + room <= box.y ||
        box.y + box.height + room <= y,
    );
  const pace = 40;
  for (let ring = 0; ring < 200; ring += 1)
    for (const [across, down] of ringAround(ring)) {
      const place = whole({ x: wish.x + across * pace, y: wish.y + down * pace });
      if (isFree(place)) return place;
    }
  return whole(wish);
}

/** The points of a square ring, those to the right and below first. */
function ringAround(ring: number): readonly (readonly [number, number])[] {
  if (ring === 0) return [[0, 0]];
  const along = Array.from({ length: 2 * ring + 1 }, (_, index) => index - ring);
  return [
    ...along.map((down) => [ring, down] as const),
    ...along.map((across) => [across, ring] as const),
    ...along.map((down) => [-ring, down] as const),
    ...along.map((across) => [across, -ring] as const),
  ];
}

function whole({ x, y }: Position): Position {
  return { x: Math.round(x), y: Math.round(y) };
}
