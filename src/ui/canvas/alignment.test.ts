import { describe, expect, it } from "vitest";
import { type Alignment, aligned, freePlace } from "./alignment.ts";

const boxes = new Map([
  ["a", { x: 0, y: 0, width: 100, height: 40 }],
  ["b", { x: 50, y: 100, width: 200, height: 60 }],
  ["c", { x: 400, y: 30, width: 100, height: 20 }],
]);

describe("alignment", () => {
  const along = (how: Alignment, axis: "x" | "y"): number[] =>
    Object.values(aligned(boxes, how)).map((place) => place[axis]);

  it("lays edges and middles on one line and leaves the other direction alone", () => {
    expect(along("left", "x")).toEqual([0, 0, 0]);
    expect(along("right", "x")).toEqual([400, 300, 400]);
    expect(along("centre", "x")).toEqual([200, 150, 200]);
    expect(along("left", "y")).toEqual([0, 100, 30]);
    expect(along("top", "y")).toEqual([0, 0, 0]);
    expect(along("bottom", "y")).toEqual([120, 100, 140]);
    expect(along("middle", "y")).toEqual([60, 50, 70]);
  });

  it("spreads with equal gaps and keeps the outermost", () => {
    expect(aligned(boxes, "across")).toEqual({
      a: { x: 0, y: 0 },
      b: { x: 150, y: 100 },
      c: { x: 400, y: 30 },
    });
    // The order along the way counts, not the order of the drawing.
    expect(along("down", "y").toSorted((a, b) => a - b)).toEqual([0, 60, 100]);
  });

  it("finds the nearest place that overlaps nothing", () => {
    const size = { width: 100, height: 40 };
    expect(freePlace(new Map(), size, { x: 3.4, y: 5 })).toEqual({ x: 3, y: 5 });
    const { x, y } = freePlace(boxes, size, { x: 0, y: 0 });
    const overlaps = [...boxes.values()].filter(
      (box) => x < box.x + box.width && box.x < x + 100 && y < box.y + box.height && box.y < y + 40,
    );
    expect(overlaps).toEqual([]);
    expect(Math.hypot(x, y)).toBeLessThan(250);
  });
});
