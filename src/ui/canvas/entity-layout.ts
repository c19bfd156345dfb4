/**
 * Where entities stand when nobody has placed them: layers from parents to children, rightwards or
 * down, whichever fits a canvas better, ordered within a layer so that few relationships cross. A pure function of the drawing, hence the
 * same on every machine.
 */

export interface LayoutBox {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** From parent to child. */
export interface LayoutLink {
  readonly from: string;
  readonly to: string;
}

export interface LayoutPosition {
  readonly x: number;
  readonly y: number;
}

/** Room for an edge with its words between two layers, and between boxes of one layer. */
const gaps = {
  right: { layers: 170, boxes: 40 },
  down: { layers: 96, boxes: 70 },
} as const;
const gapBetweenParts = 70;
const sweeps = 8;
/** The shape of a usual canvas: the direction that is larger in it wins. */
const canvas = { width: 900, height: 700 };

type Direction = keyof typeof gaps;

/** A position for every box; unconnected parts stand under each other, layers run right or down. */
export function layOut(
  boxes: readonly LayoutBox[],
  links: readonly LayoutLink[],
): ReadonlyMap<string, LayoutPosition> {
  const right = laidOut(boxes, links, "right");
  const down = laidOut(boxes, links, "down");
  const zoom = ({ width, height }: Extent): number =>
    Math.min(canvas.width / width, canvas.height / height);
  // Reading from left to right is easier: down has to be clearly larger.
  return zoom(down) > zoom(right) * 1.15 ? down.positions : right.positions;
}

interface Extent {
  readonly width: number;
  readonly height: number;
}

function laidOut(
  boxes: readonly LayoutBox[],
  links: readonly LayoutLink[],
  direction: Direction,
): Extent & { readonly positions: ReadonlyMap<string, LayoutPosition> } {
  const positions = new Map<string, LayoutPosition>();
  const rightwards = direction === "right";
  const along = (box: LayoutBox): number => (rightwards ? box.width : box.height);
  const across = (box: LayoutBox): number => (rightwards ? box.height : box.width);
  const gap = gaps[direction];
  const span = (layer: readonly LayoutBox[]): number =>
    layer.reduce((sum, box) => sum + across(box), 0) + gap.boxes * (layer.length - 1);
  let top = 0;
  let width = 1;
  for (const part of parts(boxes, links)) {
    const layers = orderedLayers(part, links, span);
    const widest = Math.max(...layers.map(span));
    let depth = 0;
    for (const layer of layers) {
      let at = (widest - span(layer)) / 2;
      for (const box of layer) {
        const [x, y] = rightwards ? [depth, top + at] : [at, top + depth];
        positions.set(box.id, { x: Math.round(x), y: Math.round(y) });
        at += across(box) + gap.boxes;
      }
      depth += Math.max(...layer.map(along)) + gap.layers;
    }
    width = Math.max(width, rightwards ? depth - gap.layers : widest);
    top += (rightwards ? widest : depth - gap.layers) + gapBetweenParts;
  }
  return { positions, width, height: Math.max(1, top - gapBetweenParts) };
}

/** Connected parts, the largest first. */
function parts(boxes: readonly LayoutBox[], links: readonly LayoutLink[]): LayoutBox[][] {
  const leader = new Map(boxes.map((box) => [box.id, box.id]));
  const leaderOf = (id: string): string => {
    let at = id;
    for (let next = leader.get(at); next !== undefined && next !== at; next = leader.get(at))
      at = next;
    return at;
  };
  for (const { from, to } of links)
    if (leader.has(from) && leader.has(to)) leader.set(leaderOf(to), leaderOf(from));
  const found = new Map<string, LayoutBox[]>();
  for (const box of boxes) {
    const part = leaderOf(box.id);
    found.set(part, [...(found.get(part) ?? []), box]);
  }
  return [...found.values()].sort((a, b) => b.length - a.length);
}

function orderedLayers(
  part: readonly LayoutBox[],
  links: readonly LayoutLink[],
  span: (layer: readonly LayoutBox[]) => number,
): LayoutBox[][] {
  const ids = new Set(part.map((box) => box.id));
  const inside = links.filter(({ from, to }) => ids.has(from) && ids.has(to) && from !== to);
  const layerOf = compacted(layersOf(part, forward(part, inside)), inside);
  const depth = Math.max(...layerOf.values()) + 1;
  const layers: LayoutBox[][] = Array.from({ length: depth }, () => []);
  for (const box of part) layers[layerOf.get(box.id) ?? 0]?.push(box);
  return uncrossed(
    folded(
      layers.filter((layer) => layer.length > 0),
      span,
    ),
    inside,
  );
}

/** Links with those that close a circle turned round, so that layers exist. */
function forward(part: readonly LayoutBox[], links: readonly LayoutLink[]): LayoutLink[] {
  const kept: LayoutLink[] = [];
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true;
    seen.add(from);
    return kept.some(
      (link) => link.from === from && !seen.has(link.to) && reaches(link.to, to, seen),
    );
  };
  const order = new Map(part.map((box, index) => [box.id, index]));
  const sorted = [...links].sort((a, b) => (order.get(a.from) ?? 0) - (order.get(b.from) ?? 0));
  for (const link of sorted)
    kept.push(reaches(link.to, link.from, new Set()) ? { from: link.to, to: link.from } : link);
  return kept;
}

/** The longest way from a box without parents. */
function layersOf(part: readonly LayoutBox[], links: readonly LayoutLink[]): Map<string, number> {
  const layers = new Map(part.map((box) => [box.id, 0]));
  for (let round = 0; round < part.length; round += 1) {
    let changed = false;
    for (const { from, to } of links) {
      const least = (layers.get(from) ?? 0) + 1;
      if ((layers.get(to) ?? 0) >= least) continue;
      layers.set(to, least);
      changed = true;
    }
    if (!changed) break;
  }
  return layers;
}

/** Moves boxes without parents next to their nearest child, which shortens their links. */
function compacted(layers: Map<string, number>, links: readonly LayoutLink[]): Map<string, number> {
  for (const [id, layer] of layers) {
    if (layer !== 0) continue;
    const neighbours = links.flatMap(({ from, to }) => {
      if (from === id) return [layers.get(to) ?? 0];
      return to === id ? [layers.get(from) ?? 0] : [];
    });
    if (neighbours.length === 0) continue;
    const nearest = Math.min(...neighbours);
    if (nearest > 1) layers.set(id, nearest - 1);
  }
  return layers;
}

/** Splits layers much taller than a screen into neighbouring columns. */
function folded(
  layers: readonly LayoutBox[][],
  span: (layer: readonly LayoutBox[]) => number,
): LayoutBox[][] {
  const most = 2000;
  return layers.flatMap((layer) => {
    const columns = Math.ceil(span(layer) / most);
    const each = Math.ceil(layer.length / columns);
    return Array.from({ length: columns }, (_, column) =>
      layer.slice(column * each, (column + 1) * each),
    ).filter((column) => column.length > 0);
  });
}

/** Orders every layer by the mean place of its neighbours, sweeping right and left. */
function uncrossed(layers: readonly LayoutBox[][], links: readonly LayoutLink[]): LayoutBox[][] {
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of links) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  const ordered = layers.map((layer) => [...layer]);
  const place = new Map<string, number>();
  const note = (layer: readonly LayoutBox[]): void =>
    layer.forEach((box, index) => {
      place.set(box.id, (index + 0.5) / layer.length);
    });
  ordered.forEach(note);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const order = sweep % 2 === 0 ? ordered : [...ordered].reverse();
    for (const layer of order) {
      const wish = new Map(
        layer.map((box) => {
          const around = (neighbours.get(box.id) ?? []).map((id) => place.get(id) ?? 0.5);
          const mean =
            around.length === 0
              ? (place.get(box.id) ?? 0.5)
              : around.reduce((sum, each) => sum + each, 0) / around.length;
          return [box.id, mean];
        }),
      );
      layer.sort((a, b) => (wish.get(a.id) ?? 0) - (wish.get(b.id) ?? 0));
      note(layer);
    }
  }
  return ordered;
}
