/**
 * A statement's label, group and text. The text is taken over while it is typed, valid or not, as one
 * gesture per pause; what is wrong is underlined in it and said under it.
 */
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import {
  removeStatement,
  setStatementGroup,
  setStatementLabel,
  setStatementText,
} from "#document/commands.ts";
import type { Issue, Span } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { useChecked, useDocument, useEdit, useStudio } from "../studio-state.ts";
import { issuesOf } from "./curve-rows.ts";
import { lineAndColumn, statementPieces } from "./statement-marks.ts";

/** A pause in typing after which the text counts as one change. */
const pauseMilliseconds = 900;

export function StatementEditor({ id }: { readonly id: StatementId }) {
  const statement = useDocument((document) => document.statements[id]);
  const { issues } = useChecked();
  const edit = useEdit();
  const own = issuesOf(id, issues);
  if (!statement) return null;
  const label = statement.label ?? id;
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
          value={statement.group ?? ""}
          placeholder="none"
          onCommit={(value) =>
            edit(`Group ${label}`, (document) => setStatementGroup(document, id, value))
          }
        />
        <button
          type="button"
          className="button small plain remove"
          onClick={() => edit(`Remove ${label}`, (document) => removeStatement(document, id))}
        >
          <Icon name="trash" size={14} />
          Remove
        </button>
      </div>
      <StatementText id={id} label={label} text={statement.text} issues={own} />
      <div id={`issues-of-${id}`}>
        <IssueList
          issues={own}
          action={(issue) =>
            issue.span && <PlaceInText text={statement.text} span={issue.span} id={id} />
          }
        />
      </div>
      {own.length === 0 && <p className="quiet small">The statement is understood.</p>}
    </section>
  );
}

function StatementText(props: {
  readonly id: StatementId;
  readonly label: string;
  readonly text: string;
  readonly issues: readonly Issue[];
}) {
  const { id, label, text, issues } = props;
  const { documents } = useStudio();
  const [typing, setTyping] = useState(false);
  const timer = useRef(0);
  const end = (): void => {
    window.clearTimeout(timer.current);
    setTyping(false);
    documents.getState().commit();
  };
  const latestEnd = useRef(end);
  latestEnd.current = end;
  const isTyping = useRef(false);
  isTyping.current = typing;
  // Leaving the room in the middle of a word must not lose the word.
  useEffect(() => () => (isTyping.current ? latestEnd.current() : undefined), []);

  const type = (event: ChangeEvent<HTMLTextAreaElement>): void => {
    const next = event.target.value;
    const { begin, preview } = documents.getState();
    if (!typing) {
      begin(`Change the text of ${label}`);
      setTyping(true);
    }
    preview((document) => setStatementText(document, id, next));
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latestEnd.current(), pauseMilliseconds);
  };
  return (
    <div className="code-editor">
      <pre aria-hidden="true">
        {statementPieces(text, issues).map((piece, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity beyond their place.
            key={index}
            className={[piece.kind, piece.wrong && `wrong-${piece.wrong}`]
              .filter(Boolean)
              .join(" ")}
          >
            {piece.text}
          </span>
        ))}
        {"\n"}
      </pre>
      <textarea
        id={`text-of-${id}`}
        aria-label="Statement text"
        aria-invalid={issues.some((issue) => issue.severity === "error")}
        aria-describedby={issues.length > 0 ? `issues-of-${id}` : undefined}
        data-typing={typing}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={type}
        onBlur={() => typing && end()}
      />
    </div>
  );
}

function PlaceInText(props: {
  readonly id: StatementId;
  readonly text: string;
  readonly span: Span;
}) {
  const { id, text, span } = props;
  const { line, column } = lineAndColumn(text, span.start);
  return (
    <>
      {" "}
      <button
        type="button"
        className="link-button small"
        onClick={() => {
          const area = document.getElementById(`text-of-${id}`);
          if (!(area instanceof HTMLTextAreaElement)) return;
          area.focus();
          area.setSelectionRange(span.start, span.end);
        }}
      >
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
  readonly onCommit: (value: string) => void;
}) {
  const { label, value, placeholder, wide = false, onCommit } = props;
  const [draft, setDraft] = useState<string>();
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input
        className={wide ? "input wide" : "input"}
        value={draft ?? value}
        placeholder={placeholder}
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
    </label>
  );
}
