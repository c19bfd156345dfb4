/**
 * Edits of the cost models that a document keeps, by the convention of `commands.ts`. Beside the
 * presets a document keeps models under names of their own, and one of all these is in use.
 * Promises that no model is lost by choosing another.
 */
import { type CostModel, presetCostModels } from "#model/cost-model.ts";
import { anError } from "#model/issue.ts";
import type { Edit } from "./commands.ts";
import { costModelIssues } from "./input-issues.ts";
import type { SettingsRecord, StudioDocument } from "./schema.ts";

/** All models that can be chosen: the presets, those kept, and the one in use where it is none of them. */
export function costModelsOf({ settings }: StudioDocument): readonly CostModel[] {
  const { costModel, costModels = [] } = settings;
  const all = [...presetCostModels, ...costModels];
  return all.some(({ name }) => name === costModel.name) ? all : [...all, costModel];
}

/** Keeps a model in the document and uses it; one of the same name gives way. */
export function keepCostModel(document: StudioDocument, model: CostModel): Edit {
  if (isPreset(model.name))
    return refused(model.name, "belongs to a preset.", "Give the model another name.");
  if (model.name.trim() === "")
    return refused(model.name, "is no name.", "Enter at least a letter.");
  const issues = costModelIssues(model);
  if (issues.length > 0) return { ok: false, issues };
  const kept = withoutName(keptAndUsed(document), model.name);
  return withSettings(document, { costModel: model, costModels: [...kept, model] });
}

/** Uses one of the models that can be chosen. */
export function chooseCostModel(document: StudioDocument, name: string): Edit {
  const model = costModelsOf(document).find((each) => each.name === name);
  if (!model) return refused(name, "is not among the cost models.", "Choose another one.");
  if (document.settings.costModel.name === name) return { ok: true, value: document, warnings: [] };
  return withSettings(document, { costModel: model, costModels: keptAndUsed(document) });
}

/** Removes a kept model; where it is in use, the default takes its place. */
export function removeCostModel(document: StudioDocument, name: string): Edit {
  if (isPreset(name)) return refused(name, "belongs to a preset.", "Presets stay.");
  const [fallback] = presetCostModels;
  const { costModel } = document.settings;
  return withSettings(document, {
    costModel: costModel.name === name && fallback ? fallback : costModel,
    costModels: withoutName(keptAndUsed(document), name),
  });
}

/** The kept models, with the one in use where it would be lost otherwise. */
function keptAndUsed({ settings }: StudioDocument): readonly CostModel[] {
  const { costModel, costModels = [] } = settings;
  const isKnown = [...presetCostModels, ...costModels].some(({ name }) => name === costModel.name);
  return isKnown ? costModels : [...costModels, costModel];
}

function withoutName(models: readonly CostModel[], name: string): readonly CostModel[] {
  return models.filter((model) => model.name !== name);
}

function isPreset(name: string): boolean {
  return presetCostModels.some((preset) => preset.name === name);
}

function withSettings(
  document: StudioDocument,
  change: Required<Pick<SettingsRecord, "costModel" | "costModels">>,
): Edit {
  const { costModels: _, ...settings } = { ...document.settings, ...change };
  const kept = change.costModels.length > 0 ? { costModels: change.costModels } : {};
  return {
    ok: true,
    value: { ...document, settings: { ...settings, ...kept } },
    warnings: [],
  };
}

function refused(name: string, what: string, hint: string): Edit {
  return { ok: false, issues: [anError("settings/costModel", `“${name}” ${what}`, hint)] };
}
