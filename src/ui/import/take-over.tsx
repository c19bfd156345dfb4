/** The last part of an import: a new project, or into the one that is open. Says what came of it. */
import { useState } from "react";
import {
  importedDocument,
  mergeModel,
  type NameClash,
  replaceModel,
} from "#document/import-commands.ts";
import type { Command } from "#document/store.ts";
import type { ImportPlan } from "#model/imported-schema.ts";
import type { Issue } from "#model/issue.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { goTo, openDocument, useDocument, useStudio } from "../studio-state.ts";

interface Outcome {
  readonly words: string;
  readonly issues: readonly Issue[];
}

export function TakeOver(props: {
  readonly plan: ImportPlan;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { plan, onClose } = props;
  const studio = useStudio();
  const [name, setName] = useState(props.name);
  const [clash, setClash] = useState<NameClash>("unite");
  const [outcome, setOutcome] = useState<Outcome>();
  const project = useDocument((document) => document.name);
  const isEmpty = useDocument(
    ({ entities, statements }) => Object.keys({ ...entities, ...statements }).length === 0,
  );
  const nothing = plan.entities.length === 0;

  const asNew = async (): Promise<void> => {
    const issues = await openDocument(studio, importedDocument(name, plan));
    if (issues.length > 0) setOutcome({ words: "No new project was made.", issues });
    else onClose();
  };
  const into = (label: string, words: string, command: Command): void => {
    const issues = studio.documents.getState().edit(label, command);
    const isRefused = issues.some(({ severity }) => severity === "error");
    setOutcome({ words: isRefused ? "Nothing was taken over." : words, issues });
    if (!isRefused) goTo(studio, "model");
  };

  if (nothing)
    return (
      <p className="message caution">
        <Icon name="warning" />
        <span>
          No table could be read, so there is nothing to take over. The list above says why.
        </span>
      </p>
    );
  return (
    <section className="take-over" aria-label="Take over">
      {outcome && (
        <div role="status" className="import-outcome">
          <p>
            <strong>{outcome.words}</strong>
          </p>
          <IssueList issues={outcome.issues} />
        </div>
      )}
      <div className="import-actions">
        <label htmlFor="import-name">Name</label>
        <input
          id="import-name"
          className="input"
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="button" className="button primary" onClick={() => void asNew()}>
          New project
        </button>
      </div>
      {!isEmpty && (
        <fieldset className="into-project">
          <legend>Or into {project}</legend>
          <label className="choice">
            <input
              type="radio"
              name="clash"
              checked={clash === "unite"}
              onChange={() => setClash("unite")}
            />
            Unite entities of the same name; what is there stays
          </label>
          <label className="choice">
            <input
              type="radio"
              name="clash"
              checked={clash === "beside"}
              onChange={() => setClash("beside")}
            />
            Keep both; the imported one gets another name
          </label>
          <div className="import-actions">
            <button
              type="button"
              className="button"
              onClick={() =>
                into(
                  "Merge the imported schema",
                  "The schema was merged. Undo takes it back in one step.",
                  (document) => mergeModel(document, plan, clash),
                )
              }
            >
              Merge
            </button>
            <button
              type="button"
              className="button"
              onClick={() =>
                into(
                  "Replace by the imported schema",
                  "The entities were replaced. Undo takes it back in one step.",
                  (document) => replaceModel(document, plan),
                )
              }
            >
              Replace its entities
            </button>
          </div>
        </fieldset>
      )}
    </section>
  );
}
