/** Which cost model runs use: one of the presets or of those that the project keeps. */
import { useId } from "react";
import { chooseCostModel, costModelsOf } from "#document/cost-model-commands.ts";
import { presetCostModels } from "#model/cost-model.ts";
import { useDocument, useEdit } from "../studio-state.ts";
import { originOf } from "./cost-model-rows.ts";

export function CostModelChoice() {
  const document = useDocument((each) => each);
  const edit = useEdit();
  const id = useId();
  const models = costModelsOf(document);
  const { name } = document.settings.costModel;
  return (
    <div className="field">
      <label htmlFor={id}>Cost model in use</label>
      <select
        id={id}
        className="select"
        value={name}
        onChange={(event) => {
          const wanted = event.target.value;
          edit(`Use the cost model ${wanted}`, (each) => chooseCostModel(each, wanted));
        }}
      >
        {models.map((model) => (
          <option key={model.name} value={model.name}>
            {model.name} ({originOf(model, isPreset(model.name))})
          </option>
        ))}
      </select>
    </div>
  );
}

export function isPreset(name: string): boolean {
  return presetCostModels.some((preset) => preset.name === name);
}
