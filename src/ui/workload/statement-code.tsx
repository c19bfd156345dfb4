/**
 * The editor of a statement's text: words of the language in colour, mistakes underlined, proposals as
 * one types. It keeps no history of its own: what is typed goes to the document at once, and undo is the
 * document's. A chunk of its own, loaded with the first statement that is shown.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { standardKeymap } from "@codemirror/commands";
import {
  Annotation,
  Compartment,
  EditorState,
  Prec,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap } from "@codemirror/view";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { Issue } from "#model/issue.ts";
import { completeStatement } from "#model/statement-completion.ts";
import { statementPieces } from "./statement-marks.ts";

export interface StatementCodeProps {
  readonly text: string;
  readonly issues: readonly Issue[];
  /** Undefined while the drawing is too unfinished to know names by it. */
  readonly graph: EntityGraph | undefined;
  /** Id of the element that says what is wrong. */
  readonly describedBy: string | undefined;
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  /** Where the caller finds a way to select a stretch of the text. */
  readonly select: RefObject<((from: number, to: number) => void) | undefined>;
}

const setIssues = StateEffect.define<readonly Issue[]>();
/** Marks a change that comes from the document, and does not go back to it. */
const fromOutside = Annotation.define<boolean>();

export function StatementCode(props: StatementCodeProps) {
  const { text, issues, describedBy, select } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const attributes = useRef(new Compartment());
  const hasErrors = issues.some(({ severity }) => severity === "error");

  useLayoutEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: extensions(latest, attributes.current),
      }),
    });
    view.current = made;
    select.current = (from, to) => {
      const { length } = made.state.doc;
      made.dispatch({
        selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
        scrollIntoView: true,
      });
      made.focus();
    };
    return () => {
      select.current = undefined;
      made.destroy();
    };
  }, [select]);

  useEffect(() => {
    const shown = view.current?.state.doc.toString();
    if (shown === undefined || shown === text) return;
    view.current?.dispatch({
      changes: changeBetween(shown, text),
      annotations: fromOutside.of(true),
    });
  }, [text]);
  useEffect(() => view.current?.dispatch({ effects: setIssues.of(issues) }), [issues]);
  useEffect(
    () =>
      view.current?.dispatch({
        effects: attributes.current.reconfigure(attributesOf(hasErrors, describedBy)),
      }),
    [hasErrors, describedBy],
  );
  return <div ref={host} className="code-editor" />;
}

function extensions(latest: RefObject<StatementCodeProps>, attributes: Compartment) {
  const command = (run: () => void) => (): boolean => {
    run();
    return true;
  };
  return [
    EditorView.lineWrapping,
    marks,
    attributes.of(attributesOf(false, undefined)),
    autocompletion({
      override: [(context) => proposals(context, latest.current.graph)],
      icons: false,
    }),
    Prec.high(
      keymap.of([
        { key: "Mod-z", run: command(() => latest.current.onUndo()) },
        { key: "Mod-Shift-z", run: command(() => latest.current.onRedo()) },
        { key: "Mod-y", run: command(() => latest.current.onRedo()) },
        // Optimise is the studio's; the editor would begin a line.
        { key: "Mod-Enter", run: () => false },
      ]),
    ),
    keymap.of([...completionKeymap, ...standardKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((each) => each.annotation(fromOutside)))
        latest.current.onType(update.state.doc.toString());
    }),
    EditorView.domEventHandlers({
      blur: (_, view) => {
        closeCompletion(view);
        latest.current.onLeave();
      },
    }),
  ];
}

function attributesOf(hasErrors: boolean, describedBy: string | undefined) {
  return EditorView.contentAttributes.of({
    "aria-label": "Statement text",
    "aria-invalid": String(hasErrors),
    spellcheck: "false",
    autocapitalize: "off",
    ...(describedBy !== undefined && { "aria-describedby": describedBy }),
  });
}

// ------------------------------------------------------------------------------------------- marks

interface Marked {
  readonly issues: readonly Issue[];
  readonly decorations: DecorationSet;
}

/** The pieces of the text as decorations; those of mistakes follow the text until they are found anew. */
const marks = StateField.define<Marked>({
  create: (state) => ({ issues: [], decorations: decorationsOf(state.doc.toString(), []) }),
  update: (marked, transaction) => {
    const found = transaction.effects.find((effect) => effect.is(setIssues));
    if (!found && !transaction.docChanged) return marked;
    const issues: readonly Issue[] = found
      ? found.value
      : marked.issues.map((issue) => movedIssue(issue, (at) => transaction.changes.mapPos(at)));
    return { issues, decorations: decorationsOf(transaction.newDoc.toString(), issues) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function movedIssue(issue: Issue, moved: (at: number) => number): Issue {
  if (!issue.span) return issue;
  return { ...issue, span: { start: moved(issue.span.start), end: moved(issue.span.end) } };
}

function decorationsOf(text: string, issues: readonly Issue[]): DecorationSet {
  let at = 0;
  const ranges = statementPieces(text, issues).flatMap((piece) => {
    const from = at;
    at += piece.text.length;
    const names = [piece.kind, ...(piece.wrong ? [`wrong-${piece.wrong}`] : [])];
    const isPlain = piece.kind === "plain" && !piece.wrong;
    return isPlain ? [] : [Decoration.mark({ class: names.join(" ") }).range(from, at)];
  });
  return Decoration.set(ranges);
}

/** The part in which two texts differ, so that the caret stays where it is in the rest. */
function changeBetween(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } {
  let from = 0;
  while (from < Math.min(before.length, after.length) && before[from] === after[from]) from += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - from &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

// --------------------------------------------------------------------------------------- proposals

const types = { keyword: "keyword", entity: "class", role: "namespace", attribute: "property" };

function proposals(
  context: CompletionContext,
  graph: EntityGraph | undefined,
): CompletionResult | null {
  if (!graph) return null;
  const text = context.state.doc.toString();
  const { from, options } = completeStatement(text, context.pos, graph);
  // As one types, a word has to be begun, or a path to go on.
  const isAsked = context.explicit || from < context.pos || text[context.pos - 1] === ".";
  if (options.length === 0 || !isAsked) return null;
  return {
    from,
    options: options.map(({ text: label, kind, detail }) => ({ label, detail, type: types[kind] })),
    validFor: /^[\p{L}_"][\p{L}\p{N}_]*$/u,
  };
}
