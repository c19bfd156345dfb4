/** A ring as arcs to draw: angles in turns from the top, clockwise, the least token at 0. */
import { type Ring, ringTokens } from "#sharding/ring.ts";
import { tokenSpaces } from "#sharding/token.ts";

export interface RingArc {
  readonly node: number;
  /** Turns; `to` may pass 1 where the arc goes over the top. */
  readonly from: number;
  readonly to: number;
  readonly token: string;
}

/** The stretches of the ring; those of one node that lie side by side are one arc where there are very many. */
export function ringArcs(ring: Ring, most = 2000): readonly RingArc[] {
  const tokens = ringTokens(ring);
  const turns = tokens.map(({ token }) => turnOf(ring.partitioner, token));
  const arcs = tokens.map(({ token, node }, index): RingArc => {
    const before = index === 0 ? (turns.at(-1) ?? 0) - 1 : (turns[index - 1] ?? 0);
    return { node, from: before, to: turns[index] ?? 0, token: String(token) };
  });
  return arcs.length <= most ? arcs : joined(arcs);
}

function joined(arcs: readonly RingArc[]): RingArc[] {
  const found: RingArc[] = [];
  for (const arc of arcs) {
    const last = found.at(-1);
    if (last?.node === arc.node) found[found.length - 1] = { ...arc, from: last.from };
    else found.push(arc);
  }
  return found;
}

/** Where a token stands, 0 … 1. */
export function turnOf(partitioner: Ring["partitioner"], token: bigint): number {
  const { least, length } = tokenSpaces[partitioner];
  return Number(token - least) / Number(length);
}

/** An SVG path of a ring's sector between two radii. */
export function sectorPath(
  arc: Pick<RingArc, "from" | "to">,
  inner: number,
  outer: number,
): string {
  const point = (turn: number, radius: number): string => {
    const angle = turn * 2 * Math.PI;
    return `${coordinate(radius * Math.sin(angle))} ${coordinate(-radius * Math.cos(angle))}`;
  };
  // A whole circle has no ends that an arc could go between.
  const to = Math.min(arc.to, arc.from + 0.99999);
  const large = to - arc.from > 0.5 ? 1 : 0;
  return `M${point(arc.from, outer)}A${outer} ${outer} 0 ${large} 1 ${point(to, outer)}L${point(to, inner)}A${inner} ${inner} 0 ${large} 0 ${point(arc.from, inner)}Z`;
}

/** Two digits after the point, and no −0. */
function coordinate(value: number): string {
  return (Math.round(value * 100) / 100 + 0).toFixed(2);
}
