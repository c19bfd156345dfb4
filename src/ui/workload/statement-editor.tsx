/**
 * A statement's label, group and text. The text is taken over while it is typed, valid or not, as one
 * gesture per pause; what is wrong is underlined in it and said under it.
 */
import { lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from "react";
import {
  freshId,
  removeStatement,
  setStatementGroup,
  setStatementLabel,
  setStatementText,
} from "#document/commands.ts";
import { duplicateStatement, moveStatementPast } from "#document/curve-commands.ts";
import { formatStatement } from "#document/format-statement.ts";
import { entityGraphOf } from "#document/to-problem.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Issue, Span } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { useChecked, useDocument, useEdit, useStudio } from "../studio-state.ts";
import { issuesOf } from "./curve-rows.ts";
import { lineAndColumn } from "./statement-marks.ts";
import { useGesture } from "./use-gesture.ts";

const StatementCode = lazy(() =>
  import("./statement-code.tsx").then(({ StatementCode: code }) => ({ default: code })),
);

/** A pause in typing after which the text counts as one change. */
const pauseMilliseconds = 900;

export interface StatementEditorProps {
  readonly id: StatementId;
  /** All groups there are, to choose from. */
  readonly groups: readonly string[];
  /** The statements displayed before and behind this one. */
  readonly before: StatementId | undefined;
  readonly behind: StatementId | undefined;
  readonly onSelect: (statement: StatementId) => void;
}

export function StatementEditor({ id, groups, before, behind, onSelect }: StatementEditorProps) {
  const statement = useDocument((document) => document.statements[id]);
  const { issues } = useChecked();
  const edit = useEdit();
  const { documents } = useStudio();
  const select = useRef<(from: number, to: number) => void>(undefined);
  const [refusal, setRefusal] = useState<{ readonly text: string; readonly words: string }>();
  const own = useOwnIssues(id, issues);
  if (!statement) return null;
  const label = statement.label ?? id;
  const format = (): void => {
    const errors = edit(`Format ${label}`, (document) => formatStatement(document, id));
    const [first] = errors.filter(({ severity }) => severity === "error");
    setRefusal(first && { text: statement.text, words: `It was not formatted. ${first.message}` });
  };
  const duplicate = (): void => {
    const copy = freshId(documents.getState().document.statements, id);
    edit(`Duplicate ${label}`, (document) => duplicateStatement(document, id, copy));
    onSelect(copy);
  };
  return (
    <section className="panel statement-editor" aria-label={`Statement ${label}`}>
      <div className="editor-fields">
        <TextField
          label="Label"
          wide
          value={statement.label ?? ""}
          placeholder={id}
          onCommit={(value) =>
            edit(`Label ${id}`, (document) => setStatementLabel(document, id, value))
          }
        />
        <TextField
          label="Group"
          wide
          value={statement.group ?? ""}
          placeholder="none"
          proposals={groups}
          onCommit={(value) =>
            edit(`Group ${label}`, (document) => setStatementGroup(document, id, value))
          }
        />
      </div>
      <StatementText id={id} label={label} text={statement.text} issues={own} select={select} />
      <div id={`issues-of-${id}`}>
        <IssueList
          issues={own}
          action={({ span }) =>
            span && (
              <PlaceInText
                text={statement.text}
                span={span}
                onGo={() => select.current?.(span.start, span.end)}
              />
            )
          }
        />
      </div>
      {own.length === 0 && <p className="quiet small">The statement is understood.</p>}
      {refusal?.text === statement.text && (
        <p className="field-error" role="alert">
          {refusal.words}
        </p>
      )}
      <div className="actions editor-actions">
        <button type="button" className="button small" onClick={format}>
          Format
        </button>
        <button type="button" className="button small" onClick={duplicate}>
          Duplicate
        </button>
        <MoveButton id={id} label={label} beside={before} side="before" />
        <MoveButton id={id} label={label} beside={behind} side="behind" />
        <button
          type="button"
          className="button small plain remove"
          onClick={() => edit(`Remove ${label}`, (document) => removeStatement(document, id))}
        >
          <Icon name="trash" size={14} />
          Remove
        </button>
      </div>
    </section>
  );
}

/** The same list as long as it says the same: the editor marks it anew otherwise. */
function useOwnIssues(id: StatementId, issues: readonly Issue[]): readonly Issue[] {
  const known = useRef<readonly Issue[]>([]);
  const own = issuesOf(id, issues);
  const isSame =
    own.length === known.current.length && own.every((issue, at) => issue === known.current[at]);
  if (!isSame) known.current = own;
  return known.current;
}

function MoveButton(props: {
  readonly id: StatementId;
  readonly label: string;
  readonly beside: StatementId | undefined;
  readonly side: "before" | "behind";
}) {
  const { id, label, beside, side } = props;
  const edit = useEdit();
  const word = side === "before" ? "up" : "down";
  return (
    <button
      type="button"
      className="button small plain"
      aria-label={`Move ${label} ${word}`}
      disabled={beside === undefined}
      onClick={() =>
        beside !== undefined &&
        edit(`Move ${label} ${word}`, (document) => moveStatementPast(document, id, beside, side))
      }
    >
      {side === "before" ? "↑" : "↓"}
    </button>
  );
}

/** Typing as gestures of the document: one for every burst of keys. */
function useTyping(id: StatementId, label: string) {
  const { documents } = useStudio();
  const gesture = useGesture("commit");
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const end = (): void => {
    window.clearTimeout(timer.current);
    gesture.end("commit");
  };
  return {
    end,
    type: (text: string): void => {
      if (!gesture.isOn()) gesture.begin(`Change the text of ${label}`);
      gesture.preview((document) => setStatementText(document, id, text));
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(end, pauseMilliseconds);
    },
    // What is being typed becomes an entry first, so that redo brings it back.
    undo: (): void => {
      end();
      documents.getState().undo();
    },
    redo: (): void => {
      end();
      documents.getState().redo();
    },
  };
}

function StatementText(props: {
  readonly id: StatementId;
  readonly label: string;
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly select: RefObject<((from: number, to: number) => void) | undefined>;
}) {
  const { id, label, text, issues, select } = props;
  const graph = useEntityGraph();
  const { type, end, undo, redo } = useTyping(id, label);
  return (
    <Suspense fallback={<pre className="code-editor">{text}</pre>}>
      <StatementCode
        text={text}
        issues={issues}
        graph={graph}
        describedBy={issues.length > 0 ? `issues-of-${id}` : undefined}
        onType={type}
        onLeave={end}
        onUndo={undo}
        onRedo={redo}
        select={select}
      />
    </Suspense>
  );
}

/** Remembered by the drawing: editing statements or curves makes no new one. */
function useEntityGraph(): EntityGraph | undefined {
  const document = useStudio().documents.getState().document;
  useDocument(({ entities }) => entities);
  useDocument(({ relationships }) => relationships);
  const graph = entityGraphOf(document);
  return graph.ok ? graph.value : undefined;
}

function PlaceInText(props: {
  readonly text: string;
  readonly span: Span;
  readonly onGo: () => void;
}) {
  const { text, span, onGo } = props;
  const { line, column } = lineAndColumn(text, span.start);
  return (
    <>
      {" "}
      <button type="button" className="link-button small" onClick={onGo}>
        Go to line {line}, column {column}
      </button>
    </>
  );
}

function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly wide?: boolean;
  /** What has been entered elsewhere, to choose from. */
  readonly proposals?: readonly string[];
  readonly onCommit: (value: string) => void;
}) {
  const { label, value, placeholder, wide = false, proposals, onCommit } = props;
  const [draft, setDraft] = useState<string>();
  const list = useId();
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input
        className={wide ? "input wide" : "input"}
        value={draft ?? value}
        placeholder={placeholder}
        list={proposals && list}
        data-typing={draft !== undefined}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => {
          if (draft !== undefined) onCommit(draft.trim());
          setDraft(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape" && draft !== undefined) {
            event.preventDefault();
            setDraft(undefined);
          }
        }}
      />
      {proposals && (
        <datalist id={list}>
          {proposals.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}
