/** The header's scenarios: which is shown, what each overrides, and how two of them differ. */
import { type FormEvent, useId, useState } from "react";
import { scenarioNamed, scenarioOf } from "#document/scenario.ts";
import {
  addScenario,
  clearPinsOverride,
  duplicateScenario,
  freshScenarioId,
  removeScenario,
  renameScenario,
  setCountOverride,
  setCurveOverride,
  setStorageOverride,
  setWeight,
} from "#document/scenario-commands.ts";
import type { ScenarioId, StudioDocument } from "#document/schema.ts";
import { Icon } from "./design/icon.tsx";
import { useMenuPanel } from "./menu-panel.ts";
import { NameForm } from "./name-form.tsx";
import { type DifferenceRow, differenceRows } from "./scenario-rows.ts";
import { useCommands } from "./studio-commands.ts";
import { useDocumentState, useEdit, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

const words = texts.scenarios;

export function ScenarioMenu() {
  const { isOpen, toggle, close, holder, panel } = useMenuPanel();
  useCommands([
    {
      id: "panel scenarios",
      words: texts.commands.openPanel(words.menu),
      group: words.menu,
      isPossible: !isOpen,
      run: toggle,
    },
  ]);
  const name = useDocumentState((state) => scenarioOf(state.history.present, state.scenario)?.name);
  const label = name === undefined ? words.menu : words.menuShowing(name);
  return (
    <span ref={holder} className="project-menu">
      <button
        type="button"
        className={name === undefined ? "button plain icon-only" : "button plain scenario-shown"}
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="scenario" />
        {name !== undefined && <span className="scenario-name">{name}</span>}
      </button>
      {isOpen && (
        <section ref={panel} className="project-panel wide" aria-label={words.menu}>
          <header>
            <h2>{words.menu}</h2>
            <button
              type="button"
              className="button plain icon-only"
              aria-label={texts.common.close}
              onClick={close}
            >
              <Icon name="close" />
            </button>
          </header>
          <p className="quiet small">{words.intro}</p>
          <ScenarioList />
          <Weights />
          <Compare />
        </section>
      )}
    </span>
  );
}

/** The project with its scenarios, whichever is shown. */
function useProject(): StudioDocument {
  return useDocumentState((state) => state.history.present);
}

function ScenarioList() {
  const { documents } = useStudio();
  const project = useProject();
  const shown = useDocumentState((state) => state.scenario);
  const edit = useEdit();
  const { showScenario } = documents.getState();
  const add = (): void => {
    const name = freshName(project, words.usualName);
    const id = freshScenarioId(project, name);
    const issues = edit(words.labels.add, (document) => addScenario(document, id, name));
    if (issues.length === 0) showScenario(id);
  };
  return (
    <>
      <ul className="scenario-list">
        <li className="project-row">
          <ShowButton name={words.project} isShown={shown === undefined} id={undefined} />
        </li>
        {Object.keys(project.scenarios ?? {}).map((id) => (
          <ScenarioRow key={id} id={id} project={project} isShown={id === shown} />
        ))}
      </ul>
      <div className="project-actions">
        <button type="button" className="button small" onClick={add}>
          <Icon name="plus" size={14} />
          {words.add}
        </button>
      </div>
    </>
  );
}

function ShowButton(props: {
  readonly name: string;
  readonly isShown: boolean;
  readonly id: ScenarioId | undefined;
}) {
  const { name, isShown, id } = props;
  const { showScenario } = useStudio().documents.getState();
  return (
    <button
      type="button"
      className={isShown ? "scenario-show current" : "scenario-show"}
      aria-current={isShown ? "true" : undefined}
      aria-label={words.showNamed(name)}
      onClick={() => showScenario(id)}
    >
      <span className="scenario-dot" aria-hidden="true" />
      {name}
      {isShown && <span className="tag">{words.shown}</span>}
    </button>
  );
}

function ScenarioRow(props: {
  readonly id: ScenarioId;
  readonly project: StudioDocument;
  readonly isShown: boolean;
}) {
  const { id, project, isShown } = props;
  const edit = useEdit();
  const [renaming, setRenaming] = useState(false);
  const name = scenarioOf(project, id)?.name ?? id;
  const { labels } = words;
  if (renaming)
    return (
      <li className="project-row">
        <NameForm
          name={name}
          label={words.nameOf(name)}
          onDone={(next) => {
            if (next !== undefined)
              edit(labels.rename, (document) => renameScenario(document, id, next));
            setRenaming(false);
          }}
        />
      </li>
    );
  const duplicate = (): void => {
    const copy = freshName(project, (number) =>
      number === 1 ? words.copyName(name) : `${words.copyName(name)} ${number}`,
    );
    const copyId = freshScenarioId(project, copy);
    edit(labels.duplicate, (document) => duplicateScenario(document, id, copyId, copy));
  };
  return (
    <li className="project-row">
      <span className="project-row-name">
        <ShowButton name={name} isShown={isShown} id={id} />
        <span className="quiet small">
          {words.overrides(differenceRows(project, undefined, id).length)}
        </span>
      </span>
      <span className="project-row-tools">
        <button
          type="button"
          className="button plain icon-only"
          aria-label={words.renameNamed(name)}
          title={texts.projects.rename}
          onClick={() => setRenaming(true)}
        >
          <Icon name="pencil" />
        </button>
        <button
          type="button"
          className="button plain icon-only"
          aria-label={words.duplicateNamed(name)}
          title={texts.projects.duplicate}
          onClick={duplicate}
        >
          <Icon name="copy" />
        </button>
        <button
          type="button"
          className="button plain icon-only"
          aria-label={words.removeNamed(name)}
          title={texts.projects.remove}
          onClick={() => edit(labels.remove, (document) => removeScenario(document, id))}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}

/** The first name that no scenario has. */
function freshName(project: StudioDocument, nameOf: (number: number) => string): string {
  let number = 1;
  while (scenarioNamed(project, nameOf(number)) !== undefined) number += 1;
  return nameOf(number);
}

/** Multiplies a statement's curve under the scenario that is shown. */
function Weights() {
  const project = useProject();
  const shown = useDocumentState((state) => state.scenario);
  const edit = useEdit();
  const id = useId();
  const statements = Object.entries(project.statements);
  const [statement, setStatement] = useState(statements[0]?.[0] ?? "");
  const [factor, setFactor] = useState("2");
  const [problem, setProblem] = useState("");
  if (shown === undefined || statements.length === 0) return null;
  const multiply = (event: FormEvent): void => {
    event.preventDefault();
    const weight = Number(factor.replace(",", "."));
    const issues = edit(words.labels.weight, (document) =>
      setWeight(document, shown, statement, factor.trim() === "" ? Number.NaN : weight),
    );
    setProblem(issues.map(({ message, hint }) => `${message} ${hint ?? ""}`).join(" "));
  };
  return (
    <form className="scenario-weight" aria-label={words.weight} onSubmit={multiply}>
      <div className="field">
        <label htmlFor={`${id}-statement`}>{words.weightOf}</label>
        <select
          id={`${id}-statement`}
          className="select"
          value={statement}
          onChange={(event) => setStatement(event.target.value)}
        >
          {statements.map(([key, each]) => (
            <option key={key} value={key}>
              {each.label ?? key}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-factor`}>{words.weightBy}</label>
        <input
          id={`${id}-factor`}
          className="input number"
          inputMode="decimal"
          value={factor}
          aria-invalid={problem !== ""}
          aria-describedby={problem === "" ? undefined : `${id}-problem`}
          onChange={(event) => setFactor(event.target.value)}
        />
      </div>
      <button type="submit" className="button">
        {words.weightSet}
      </button>
      {problem !== "" && (
        <p id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function Compare() {
  const project = useProject();
  const shown = useDocumentState((state) => state.scenario);
  const scenarios = Object.entries(project.scenarios ?? {});
  const [one, setOne] = useState("");
  const [chosen, setOther] = useState<string>();
  if (scenarios.length === 0) return null;
  const known = (id: string): ScenarioId | undefined => (scenarioOf(project, id) ? id : undefined);
  const other = known(chosen ?? shown ?? scenarios[0]?.[0] ?? "") ?? "";
  const rows = differenceRows(project, known(one), known(other));
  const nameOf = (id: string): string => scenarioOf(project, id)?.name ?? words.project;
  const choice = (label: string, value: string, onChange: (id: string) => void) => (
    <label className="field">
      <span className="field-name">{label}</span>
      <select
        className="select"
        value={known(value) ?? ""}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{words.project}</option>
        {scenarios.map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section className="scenario-compare" aria-label={words.compare}>
      <h3>{words.compare}</h3>
      <div className="scenario-choice">
        {choice(words.compareOne, one, setOne)}
        {choice(words.compareOther, other, setOther)}
      </div>
      {rows.length === 0 ? (
        <p className="quiet">{words.same}</p>
      ) : (
        <table className="scenario-table">
          <thead>
            <tr>
              <th scope="col">{words.input}</th>
              <th scope="col">{nameOf(one)}</th>
              <th scope="col">{nameOf(other)}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.what}</th>
                <td>{row.one}</td>
                <td>{row.other}</td>
                <td>{known(one) === undefined && <TakeBack scenario={other} row={row} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function TakeBack(props: { readonly scenario: ScenarioId; readonly row: DifferenceRow }) {
  const { scenario, row } = props;
  const edit = useEdit();
  return (
    <button
      type="button"
      className="button plain icon-only"
      aria-label={words.takeBackNamed(row.what)}
      title={words.takeBack}
      onClick={() =>
        edit(words.labels.takeBack, (document) => takenBack(document, scenario, row.override))
      }
    >
      <Icon name="undo" size={14} />
    </button>
  );
}

function takenBack(document: StudioDocument, id: ScenarioId, override: DifferenceRow["override"]) {
  switch (override.kind) {
    case "count":
      return setCountOverride(document, id, override.id, undefined);
    case "curve": {
      const bare = setCurveOverride(document, id, override.id, undefined);
      return bare.ok ? setWeight(bare.value, id, override.id, undefined) : bare;
    }
    case "storage":
      return setStorageOverride(document, id, undefined);
    case "pins":
      return clearPinsOverride(document, id);
  }
}
