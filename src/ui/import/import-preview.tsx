/** What was read, before it is taken over: entities with their numbers, questions, and everything that is left out. */
import { type ReactNode, useState } from "react";
import type { ImportNote, ImportPlan, SkippedPart } from "#model/imported-schema.ts";
import { anError } from "#model/issue.ts";
import { plural } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import {
  allNotes,
  type ChoiceQuestion,
  type EntityRow,
  entityRows,
  foundText,
  linesText,
  openCounts,
  questionGroups,
} from "./import-rows.ts";

type OnAnswer = (id: string, answer: string | number | undefined) => void;

/** Rows that are shown at first; a button shows the others. */
const shownAtFirst = 100;

export function ImportPreview(props: {
  readonly schema: {
    readonly skipped: readonly SkippedPart[];
    readonly notes: readonly ImportNote[];
  };
  readonly plan: ImportPlan;
  readonly onAnswer: OnAnswer;
}) {
  const { schema, plan, onAnswer } = props;
  const { skipped } = schema;
  const notes = allNotes(schema.notes, plan);
  return (
    <div className="import-preview">
      <p className="import-found" role="status">
        <strong>{foundText(plan, skipped)}</strong>
      </p>
      {questionGroups(plan).map(({ kind, title, hint, questions }) => (
        <section key={kind} aria-label={title}>
          <h3>{title}</h3>
          <p className="quiet small">{hint}</p>
          <Rows>
            {questions.map((question) => (
              <Question key={question.id} question={question} onAnswer={onAnswer} />
            ))}
          </Rows>
        </section>
      ))}
      <section aria-label="Entities and their numbers of records">
        <h3>Entities</h3>
        <p className="quiet small">
          {openCounts(plan) > 0
            ? "Numbers of records are not counted from rows. An empty field stands for the number in it; you can also give it later."
            : "All numbers of records are given."}
        </p>
        <Rows>
          {entityRows(plan).map((row) => (
            <Entity key={row.count?.id ?? row.name} row={row} onAnswer={onAnswer} />
          ))}
        </Rows>
      </section>
      <Relationships plan={plan} />
      <Fold title={`Skipped (${skipped.reduce((sum, { count }) => sum + count, 0)})`} isOpen>
        {skipped.map((part) => (
          <li key={`${part.line} ${part.what} ${part.reason}`}>
            <span className="tag">{linesText(part)}</span> <code className="mono">{part.what}</code>
            {part.count > 1 && ` and ${part.count - 1} more`}
            <span className="quiet"> {part.reason}</span>
          </li>
        ))}
      </Fold>
      <Fold title={`Renamed (${plan.renamed.length})`} isOpen>
        {plan.renamed.map(({ line, what, from, to, reason }) => (
          <li key={`${line} ${what} ${from}`}>
            <span className="tag">line {line}</span> {what}{" "}
            <span className="mono">
              {from} → {to}
            </span>
            <span className="quiet"> {reason}</span>
          </li>
        ))}
      </Fold>
      <Fold title={`To know (${notes.length})`}>
        {notes.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            {line !== undefined && <span className="tag">line {line}</span>} {text}
          </li>
        ))}
      </Fold>
    </div>
  );
}

/** A list of which a long rest waits. */
function Rows({ children }: { readonly children: readonly ReactNode[] }) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole ? 0 : Math.max(0, children.length - shownAtFirst);
  return (
    <>
      <ul className="import-rows">{rest > 0 ? children.slice(0, shownAtFirst) : children}</ul>
      {rest > 0 && (
        <button type="button" className="button small" onClick={() => setWhole(true)}>
          Show {rest} more
        </button>
      )}
    </>
  );
}

/** A part that can be folded away; nothing where it is empty. */
function Fold(props: {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly children: readonly ReactNode[];
}) {
  const { title, isOpen = false, children } = props;
  if (children.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <Rows>{children}</Rows>
    </details>
  );
}

function Question(props: { readonly question: ChoiceQuestion; readonly onAnswer: OnAnswer }) {
  const { question, onAnswer } = props;
  const { id, line, text, options, answer } = question;
  return (
    <li>
      <fieldset className="import-question">
        <legend>
          <span className="tag">line {line}</span> {text}
        </legend>
        {options.map(({ value, words }) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={id}
              checked={answer === value}
              onChange={() => onAnswer(id, value)}
            />
            {words}
          </label>
        ))}
      </fieldset>
    </li>
  );
}

function Entity({ row, onAnswer }: { readonly row: EntityRow; readonly onAnswer: OnAnswer }) {
  const { name, line, attributes, identifier, count } = row;
  return (
    <li className="import-entity">
      <div>
        <strong>{name}</strong> <span className="tag">line {line}</span>
        {attributes > 0 && (
          <p className="quiet small">
            {plural(attributes, "attribute")},{" "}
            {identifier === "" ? "no identifier yet" : `identified by ${identifier}`}
          </p>
        )}
      </div>
      {count && (
        <NumberField
          label={count.text}
          hideLabel
          optional
          unit={count.entity === undefined ? "links" : "records"}
          value={count.answer}
          placeholder={String(count.assumed)}
          onCommit={(value) => {
            if (value !== undefined && value < 1)
              return [anError("", "There is at least 1.", "Enter 1 or more.")];
            onAnswer(count.id, value);
            return [];
          }}
        />
      )}
    </li>
  );
}

const signs = { oneToOne: "1 : 1", oneToMany: "1 : n", manyToMany: "n : m" } as const;

function Relationships({ plan }: { readonly plan: ImportPlan }) {
  const { relationships } = plan;
  return (
    <Fold title={`Relationships (${relationships.length})`}>
      {relationships.map(({ multiplicity, optional, ends: [parent, child] }) => (
        <li key={`${parent.entity} ${child.entity} ${child.role} ${parent.role}`}>
          {parent.entity} <span className="mono">{signs[multiplicity]}</span> {child.entity}
          <span className="quiet">
            {" "}
            as {child.role} and {parent.role}
            {optional && ", optional"}
          </span>
        </li>
      ))}
    </Fold>
  );
}
