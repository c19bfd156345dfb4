import { describe, expect, it } from "vitest";
import type { SummaryTree } from "#model/recommendation.ts";
import { families, problem } from "../hotel-specimen.ts";
import { byTree } from "../hotel-specimen-tree.ts";
import { answerIndex } from "./answer-index.ts";
import { neighbourOf, nodeMarks, treeTables } from "./tree-rows.ts";

const index = answerIndex(byTree, problem.statements);
const tree = byTree.summaryTree as SummaryTree;
const marks = nodeMarks(byTree);

describe("the marks of a summary tree", () => {
  it("stand on the level of their node, with what it adds and what it took", () => {
    expect(marks.map(({ depth }) => depth)).toEqual([0, 1, 1, 2]);
    // The root adds all its tables; below, only what no node above has chosen.
    expect(marks.map(({ adds }) => adds)).toEqual([6, 0, 0, 0]);
    expect(marks.map(({ seconds }) => seconds)).toEqual([0.42, 0.11, 12.4, undefined]);
  });

  it("lead by arrow keys to parent, first child and neighbours, and stay where there is none", () => {
    expect(neighbourOf(marks, 0, "ArrowDown")).toBe(1);
    expect(neighbourOf(marks, 1, "ArrowRight")).toBe(2);
    expect(neighbourOf(marks, 2, "ArrowRight")).toBe(2);
    expect(neighbourOf(marks, 2, "ArrowDown")).toBe(3);
    expect(neighbourOf(marks, 1, "ArrowDown")).toBe(1);
    expect(neighbourOf(marks, 3, "ArrowUp")).toBe(2);
    expect(neighbourOf(marks, 3, "ArrowLeft")).toBe(3);
    expect(neighbourOf(marks, 3, "Home")).toBe(0);
    expect(neighbourOf(marks, 0, "End")).toBe(3);
    expect(neighbourOf(marks, 1, "x")).toBe(1);
  });

  it("end at a parent that does not stand before its child", () => {
    const [root, child] = tree.nodes as [
      SummaryTree["nodes"][number],
      SummaryTree["nodes"][number],
    ];
    const nodes = [root, { ...child, parent: 1 }];
    expect(nodeMarks({ ...byTree, summaryTree: { ...tree, nodes } })[1]?.depth).toBe(0);
  });
});

describe("the tables of a summary tree", () => {
  it("tell where nodes chose them, where the answer has them, and how the node looked at stands to them", () => {
    const rows = treeTables(byTree, tree, index, 2);
    expect(rows.map(({ family }) => family.key).toSorted()).toEqual(tree.candidates.toSorted());
    const row = rows.find(({ family }) => family === families.arrivalIds);
    expect(row?.wanted).toEqual([0, 1, 3, 5]);
    expect(row?.stretches).toEqual([
      { from: 0, to: 1 },
      { from: 5, to: 5 },
    ]);
    expect([...(row?.here ?? [])]).toEqual([
      [3, "chosen"],
      [5, "taken over"],
    ]);
  });
});
