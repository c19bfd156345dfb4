/** The shape of the workload summary tree (the paper's Algorithm 1). */
import { describe, expect, test } from "vitest";
import { summaryTree } from "./summary-tree.ts";

const range = (count: number): number[] => Array.from({ length: count }, (_, t) => t);

describe("the workload summary tree", () => {
  test("of five steps is the paper's: a root over all, and two leaves that share its middle", () => {
    expect(summaryTree(5)).toEqual([
      { parent: undefined, first: 0, last: 4, steps: [0, 2, 4] },
      { parent: 0, first: 0, last: 2, steps: [0, 1, 2] },
      { parent: 0, first: 2, last: 4, steps: [2, 3, 4] },
    ]);
  });

  test("of one or two steps is a root that looks at them all", () => {
    expect(summaryTree(1)).toEqual([{ parent: undefined, first: 0, last: 0, steps: [0] }]);
    expect(summaryTree(2)).toEqual([{ parent: undefined, first: 0, last: 1, steps: [0, 1] }]);
  });

  test.each(range(20).map((t) => t + 1))("of %i steps looks at every step", (count) => {
    const nodes = summaryTree(count);
    expect(new Set(nodes.flatMap(({ steps }) => steps))).toEqual(new Set(range(count)));
    // Beyond the root, each node is there for its middle step, and no other node has that.
    expect(nodes.length).toBe(Math.max(1, count - 2));
    if (count < 3) return;
    const middles = nodes.map(({ steps }) => steps[1]);
    expect(middles.toSorted((a, b) => Number(a) - Number(b))).toEqual(range(count).slice(1, -1));
  });

  test.each(range(18).map((t) => t + 3))("of %i steps halves every interval", (count) => {
    const nodes = summaryTree(count);
    expect(nodes[0]).toMatchObject({ parent: undefined, first: 0, last: count - 1 });
    for (const [at, { parent, first, last, steps }] of nodes.entries()) {
      const [begin, middle, end] = steps as [number, number, number];
      expect([begin, end]).toEqual([first, last]);
      expect(middle).toBe(Math.floor((first + last) / 2));
      const children = nodes.filter((node) => node.parent === at);
      const halves = [
        [first, middle],
        [middle, last],
      ] as [number, number][];
      expect(children.map((child) => [child.first, child.last])).toEqual(
        halves.filter(([from, to]) => to - from > 1),
      );
      if (at > 0) expect(parent).toBeLessThan(at);
    }
    // Neighbours that are no node of their own stand side by side in one.
    for (const t of range(count - 1))
      expect(nodes.some(({ steps }) => steps.indexOf(t + 1) === steps.indexOf(t) + 1)).toBe(true);
  });
});
