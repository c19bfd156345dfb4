/** The cost model in use: its coefficients, how far they can be trusted, and a new one from measurements. */
import { useId, useRef, useState } from "react";
import { removeCostModel } from "#document/cost-model-commands.ts";
import type { CostModel } from "#model/cost-model.ts";
import type { MeasuredOperation } from "#model/cost-model-fit.ts";
import { exactNumber, plural } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { Tabs } from "../design/tabs.tsx";
import { download, fileName } from "../download.ts";
import { useDocument, useEdit } from "../studio-state.ts";
import { FitChart, ResidualChart } from "./cost-model-charts.tsx";
import { CostModelChoice, isPreset } from "./cost-model-choice.tsx";
import { CostModelImport, FitMessage, type FitOutcome } from "./cost-model-import.tsx";
import {
  type CoefficientGroup,
  type CoefficientRow,
  coefficientGroups,
  operationTitles,
  rSquaredText,
  smallTime,
} from "./cost-model-rows.ts";
import "./cost-model.css";

export function CostModelPanel() {
  const model = useDocument((document) => document.settings.costModel);
  const [outcome, setOutcome] = useState<FitOutcome>();
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => setOutcome(undefined);
  const tell = (next: FitOutcome): void => {
    setOutcome(next);
    // What was fitted stands at the top, the reasons of a refusal beside the profile.
    if (next.isKept) panel.current?.scrollTo({ top: 0 });
  };
  return (
    <div className="cost-model-panel" ref={panel}>
      {outcome?.isKept && <FitMessage outcome={outcome} onClose={close} />}
      <ModelHead model={model} />
      <Coefficients model={model} />
      {model.fit && <FitViews key={model.name} model={model} />}
      <CostModelImport onOutcome={tell}>
        {outcome && !outcome.isKept && <FitMessage outcome={outcome} onClose={close} />}
      </CostModelImport>
    </div>
  );
}

function ModelHead({ model }: { readonly model: CostModel }) {
  const edit = useEdit();
  const { name } = model;
  return (
    <header className="cost-model-head">
      <div>
        <CostModelChoice />
        <p className="quiet small">
          {model.getsPer === "row"
            ? "A later Get is counted for every row"
            : "A later Get is counted for every distinct key"}
          {model.bytesOf === "wholeRow"
            ? "; the whole row travels."
            : "; the selected columns travel."}
        </p>
      </div>
      <div className="actions">
        <button
          type="button"
          className="button small"
          onClick={() =>
            download(fileName(name, "cost-model"), `${JSON.stringify(model, null, 2)}\n`)
          }
        >
          <Icon name="download" size={14} />
          Download model
        </button>
        {!isPreset(name) && (
          <button
            type="button"
            className="button small"
            onClick={() =>
              edit(`Remove the cost model ${name}`, (document) => removeCostModel(document, name))
            }
          >
            <Icon name="trash" size={14} />
            Remove from project
          </button>
        )}
      </div>
    </header>
  );
}

function Coefficients({ model }: { readonly model: CostModel }) {
  const groups = coefficientGroups(model);
  const fitted = model.fit !== undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="table-scroll coefficients" aria-label="Coefficients" tabIndex={0}>
      <table className="data-table">
        <caption className="visually-hidden">Coefficients of the cost model {model.name}</caption>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col" className="text">
              Coefficient
            </th>
            <th scope="col">Value</th>
            {fitted && (
              <>
                <th scope="col">Standard error</th>
                <th scope="col">95 % interval</th>
              </>
            )}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.key}>
            {group.rows.map((row, index) => (
              <CoefficientLine
                key={row.name}
                group={group}
                row={row}
                first={index === 0}
                fitted={fitted}
              />
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

function CoefficientLine(props: {
  readonly group: CoefficientGroup;
  readonly row: CoefficientRow;
  readonly first: boolean;
  readonly fitted: boolean;
}) {
  const { group, row, first, fitted } = props;
  const height = group.rows.length;
  return (
    <tr>
      {first && (
        <th scope="rowgroup" rowSpan={height}>
          <strong>{group.title}</strong>
          <span className="quiet small block">{group.symbol}</span>
          {fitted && <FitFigures group={group} />}
        </th>
      )}
      <td className="text">
        {row.words}
        {row.note !== undefined && <span className="coefficient-note small">{row.note}</span>}
      </td>
      <td title={row.exact}>{row.value}</td>
      {fitted && <td>{row.error ?? "–"}</td>}
      {fitted && <td>{row.interval ?? "–"}</td>}
    </tr>
  );
}

function FitFigures({ group: { fit } }: { readonly group: CoefficientGroup }) {
  if (!fit) return <span className="quiet small block">not measured</span>;
  const { rSquared, residualStandardError, samples } = fit;
  return (
    <>
      <span className="small block" title={exactNumber(rSquared)}>
        R² {rSquaredText(rSquared)} of {plural(samples.length, "row")}
      </span>
      <span className="small block" title={`${exactNumber(residualStandardError)} ms`}>
        residuals of {smallTime(residualStandardError)}
      </span>
    </>
  );
}

/** Measured against predicted, and what is left, of one operation at a time. */
function FitViews({ model }: { readonly model: CostModel }) {
  const panel = useId();
  const fits = model.fit?.operations ?? [];
  const [selected, setSelected] = useState<MeasuredOperation>(fits[0]?.operation ?? "get");
  const fit = fits.find(({ operation }) => operation === selected);
  return (
    <section aria-label="Fit">
      <Tabs
        label="Operation"
        tabs={fits.map(({ operation }) => ({ name: operation, word: operationTitles[operation] }))}
        selected={selected}
        onSelect={setSelected}
        panelId={panel}
      />
      <div
        id={panel}
        role="tabpanel"
        aria-labelledby={`${panel}-${selected}`}
        className="fit-charts"
      >
        {fit && (
          <>
            <FitChart fit={fit} />
            <ResidualChart fit={fit} />
          </>
        )}
      </div>
    </section>
  );
}
