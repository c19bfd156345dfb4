import { describe, expect, it } from "vitest";
import { type Rectangle, routeEdges } from "./edge-routes.ts";

describe("edge routes", () => {
  const rectangle = (x: number, y: number): Rectangle => ({ x, y, width: 100, height: 80 });

  it("leaves towards the other box, and shares a side", () => {
    const boxes = new Map([
      ["a", rectangle(0, 0)],
      ["b", rectangle(300, 0)],
    ]);
    const routes = routeEdges(boxes, [
      { id: "1", from: "a", to: "b" },
      { id: "2", from: "b", to: "a" },
    ]);
    expect(routes.get("1")?.ends.map((end) => end.side)).toEqual(["right", "left"]);
    expect(routes.get("2")?.ends.map((end) => end.side)).toEqual(["left", "right"]);
    expect(routes.get("1")?.ends[0].y).not.toBe(routes.get("2")?.ends[1].y);
  });

  it("runs down where boxes stand under each other, and round where one refers to itself", () => {
    const boxes = new Map([
      ["a", rectangle(0, 0)],
      ["b", rectangle(20, 200)],
    ]);
    const routes = routeEdges(boxes, [
      { id: "1", from: "a", to: "b" },
      { id: "2", from: "a", to: "a" },
      { id: "3", from: "a", to: "missing" },
    ]);
    expect(routes.get("1")?.ends.map((end) => end.side)).toEqual(["bottom", "top"]);
    expect(routes.get("2")?.ends.map((end) => end.side)).toEqual(["right", "bottom"]);
    expect(routes.has("3")).toBe(false);
  });
});
