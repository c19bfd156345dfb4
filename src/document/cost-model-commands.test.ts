import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type CostModel, defaultCostModel, paperCostModel } from "#model/cost-model.ts";
import { setCostModel } from "./commands.ts";
import {
  chooseCostModel,
  costModelsOf,
  keepCostModel,
  removeCostModel,
} from "./cost-model-commands.ts";
import { readCostModel } from "./cost-model-schema.ts";
import { readDocument, writeDocument } from "./read.ts";
import type { StudioDocument } from "./schema.ts";
import { problemKey, toProblem } from "./to-problem.ts";

const file = readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8"));
if (!file.ok) throw new Error("the fixture does not read");
const hotel: StudioDocument = {
  ...file.value,
  settings: { ...file.value.settings, costModel: defaultCostModel },
};

const measured: CostModel = {
  ...defaultCostModel,
  name: "staging",
  put: { fixed: 0.4, perRow: 0.2 },
  fit: {
    operations: [
      {
        operation: "put",
        coefficients: [
          { name: "fixed", value: 0.4, standardError: 0.1, low: 0.2, high: 0.6 },
          { name: "perRow", value: 0.2, standardError: 0.1, low: 0, high: 0.4, belowZero: -0.1 },
        ],
        degreesOfFreedom: 2,
        rSquared: 0.97,
        residualStandardError: 0.05,
        samples: [{ line: 2, at: [3], measured: 1, predicted: 1.02 }],
      },
    ],
  },
};

function edited(edit: ReturnType<typeof keepCostModel>): StudioDocument {
  if (!edit.ok) throw new Error(JSON.stringify(edit.issues));
  return edit.value;
}

function namesOf(document: StudioDocument): readonly string[] {
  return costModelsOf(document).map(({ name }) => name);
}

describe("the cost models of a document", () => {
  test("are the presets until one is kept", () => {
    expect(namesOf(hotel)).toEqual(["default", "paper"]);
    const kept = edited(keepCostModel(hotel, measured));
    expect(namesOf(kept)).toEqual(["default", "paper", "staging"]);
    expect(kept.settings.costModel).toBe(measured);
  });

  test("are chosen by name, and the measured one stays", () => {
    const paper = edited(chooseCostModel(edited(keepCostModel(hotel, measured)), "paper"));
    expect(paper.settings.costModel).toEqual(paperCostModel);
    expect(edited(chooseCostModel(paper, "staging")).settings.costModel).toEqual(measured);
  });

  test("keep one that was written into the file by hand when another is chosen", () => {
    const byHand = edited(setCostModel(hotel, { ...measured, name: "by hand" }));
    expect(namesOf(byHand)).toEqual(["default", "paper", "by hand"]);
    expect(namesOf(edited(chooseCostModel(byHand, "default")))).toContain("by hand");
    expect(namesOf(edited(keepCostModel(byHand, measured)))).toContain("by hand");
  });

  test("hold one of each name: the newer", () => {
    const again = { ...measured, put: { fixed: 9, perRow: 9 } };
    const document = edited(keepCostModel(edited(keepCostModel(hotel, measured)), again));
    expect(document.settings.costModels).toEqual([again]);
  });

  test("fall back to the default where the one in use is removed", () => {
    const document = edited(removeCostModel(edited(keepCostModel(hotel, measured)), "staging"));
    expect(document.settings).toEqual(hotel.settings);
  });

  test("refuse what would break them, with the reason", () => {
    for (const edit of [
      keepCostModel(hotel, { ...measured, name: "paper" }),
      keepCostModel(hotel, { ...measured, name: " " }),
      keepCostModel(hotel, { ...measured, put: { fixed: -1, perRow: 0 } }),
      chooseCostModel(hotel, "lemon"),
      removeCostModel(hotel, "default"),
    ]) {
      expect(edit.ok).toBe(false);
      expect(!edit.ok && edit.issues[0]?.hint).toBeTruthy();
    }
  });

  test("survive a file, fit and all", () => {
    const document = edited(chooseCostModel(edited(keepCostModel(hotel, measured)), "paper"));
    const read = readDocument(writeDocument(document));
    expect(read.ok && read.value).toEqual(document);
  });

  test("change the problem by their coefficients alone", () => {
    const kept = edited(keepCostModel(hotel, measured));
    const { fit: _, ...bare } = measured;
    expect(problemKey(kept)).not.toBe(problemKey(hotel));
    expect(problemKey(kept)).toBe(problemKey(edited(setCostModel(hotel, bare))));
    expect(problemKey(edited(chooseCostModel(kept, "default")))).toBe(problemKey(hotel));
    const problem = toProblem(kept);
    expect(problem.ok && problem.value.costModel).toEqual(bare);
  });
});

describe("a cost model's file", () => {
  test("is read back as it was", () => {
    const read = readCostModel(JSON.stringify({ $schema: "x", ...measured }));
    expect(read.ok && read.value).toEqual(measured);
  });

  test.each<[string, object, string]>([
    ["a coefficient below 0", { ...measured, put: { fixed: -1, perRow: 0 } }, "put/fixed"],
    ["a missing part", { ...measured, load: undefined }, "load"],
    ["a field that is not known", { ...measured, colour: "blue" }, "colour"],
    ["a document", { format: "tidetable" }, ""],
  ])("with %s is refused with its place", (_, model, place) => {
    const read = readCostModel(JSON.stringify(model));
    expect(!read.ok && read.issues.map((issue) => issue.place)).toEqual([place]);
  });
});
