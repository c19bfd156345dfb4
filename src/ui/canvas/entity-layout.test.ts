import { describe, expect, it } from "vitest";
import { type LayoutBox, type LayoutPosition, layOut } from "./entity-layout.ts";

const box = (id: string): LayoutBox => ({ id, width: 200, height: 120 });
const at = (positions: ReadonlyMap<string, LayoutPosition>, id: string): LayoutPosition => {
  const position = positions.get(id);
  if (!position) throw new Error(`${id} was not placed`);
  return position;
};

describe("layOut", () => {
  it("puts parents before their children", () => {
    const positions = layOut(
      [box("reservation"), box("room"), box("hotel")],
      [
        { from: "hotel", to: "room" },
        { from: "room", to: "reservation" },
      ],
    );
    const depth = (id: string): number => at(positions, id).x + at(positions, id).y;
    expect(depth("hotel")).toBeLessThan(depth("room"));
    expect(depth("room")).toBeLessThan(depth("reservation"));
  });

  it("places every box once, without overlaps, circles and self-references included", () => {
    const ids = ["a", "b", "c", "d", "e", "alone"];
    const positions = layOut(ids.map(box), [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "c", to: "a" },
      { from: "d", to: "d" },
      { from: "a", to: "d" },
      { from: "a", to: "e" },
    ]);
    expect([...positions.keys()].sort()).toEqual([...ids].sort());
    for (const first of ids)
      for (const second of ids.slice(ids.indexOf(first) + 1)) {
        const [p, q] = [at(positions, first), at(positions, second)];
        expect(Math.abs(p.x - q.x) >= 200 || Math.abs(p.y - q.y) >= 120).toBe(true);
      }
  });

  it("keeps a lone parent close to its child", () => {
    const positions = layOut(["a", "b", "c", "guest"].map(box), [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "guest", to: "c" },
    ]);
    const [guest, b] = [at(positions, "guest"), at(positions, "b")];
    expect(guest.x === b.x || guest.y === b.y).toBe(true);
  });

  it("lays two hundred entities out at once", () => {
    const ids = Array.from({ length: 200 }, (_, index) => `e${index}`);
    const links = ids.slice(1).map((id, index) => ({ from: `e${Math.floor(index / 3)}`, to: id }));
    expect(layOut(ids.map(box), links).size).toBe(200);
  });

  it("has nothing to place in an empty drawing", () => {
    expect(layOut([], []).size).toBe(0);
  });
});
