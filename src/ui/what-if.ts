/**
 * What if: after every edit of frequencies, limits or pins the tables of the last answer are costed again at
 * once, and a moment later something better is looked for, unless the person has said that they will ask for it.
 *
 * Decides when: costing follows every edit, also in the middle of a gesture, but never more than one question
 * waits for the engine; looking for something better begins when the person has paused, and never while a run
 * that they started themselves goes on. An answer that was found before to the very same project is taken
 * again, so that undo costs nothing.
 */
import type { Problem } from "#model/problem.ts";
import { type Answer, check, type Studio, startRun } from "./studio-state.ts";

/** Milliseconds without an edit after which something better is looked for. */
const pause = 300;
/** Answers that an undone edit finds again. */
const mostRemembered = 12;

/** The project as it is now, where the answer's tables can be costed for it. */
interface Edited {
  readonly key: string;
  readonly problem: Problem;
  readonly answer: Answer;
}

/** Follows every edit from now on; returns how to leave off. */
export function followEdits(studio: Studio): () => void {
  const { documents, run, session } = studio;
  const remembered = new Map<string, Answer>();
  let asking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Looking for something better has been tried, and is not tried again before the next edit. */
  let tried: string | undefined;

  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    for (let edited = editedProject(studio); edited; edited = editedProject(studio)) {
      if (run.getState().whatIf?.problemKey === edited.key) break;
      const { key, problem, answer } = edited;
      const recosted = await studio.engine.recost(answer.recommendation, problem);
      // Meanwhile another answer may have come, or another project.
      if (run.getState().answer === answer && editedProject(studio))
        run.setState({ whatIf: { problemKey: key, problem, recosted } });
    }
    asking = false;
  };

  const improveLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const edited = editedProject(studio);
      if (!edited || edited.key === tried || !mayImprove(studio)) return;
      tried = edited.key;
      improve(studio);
    }, pause);
  };

  const follow = (): void => {
    const { answer, whatIf } = run.getState();
    const edited = editedProject(studio);
    // Under another scenario, say, in which even the numbers of records are others.
    const known = answer && remembered.get(check(documents.getState().document).key);
    if (known && known !== answer) takeAgain(studio, known);
    else if (edited) {
      void ask();
      improveLater();
    } else {
      if (whatIf) run.setState({ whatIf: undefined });
      giveUpImproving(studio);
    }
  };

  const leaving = [
    documents.subscribe((now, before) => {
      if (now.projectId !== before.projectId) remembered.clear();
      if (now.document === before.document && now.history.gesture === before.history.gesture)
        return;
      if (now.document !== before.document) tried = undefined;
      follow();
    }),
    run.subscribe((now, before) => {
      if (now.answer && now.answer !== before.answer) remember(remembered, now.answer);
      if (now.answer !== before.answer || (before.running && !now.running)) follow();
    }),
    session.subscribe((now, before) => {
      if (now.improvesAlone && !before.improvesAlone) follow();
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const leave of leaving) leave();
  };
}

/** Looks for something better than the tables there are; they are the first answer where they still serve. */
export function improve(studio: Studio): void {
  const edited = editedProject(studio);
  if (edited)
    startRun(
      studio,
      edited.answer.recommendation.steps.map(({ schema }) => schema),
    );
}

function mayImprove({ run, session, documents }: Studio): boolean {
  const { running } = run.getState();
  const isTheirs = running !== undefined && !running.improves;
  return session.getState().improvesAlone && !isTheirs && !documents.getState().history.gesture;
}

function remember(remembered: Map<string, Answer>, answer: Answer): void {
  remembered.delete(answer.problemKey);
  remembered.set(answer.problemKey, answer);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/** The answer that was found to this very project before. */
function takeAgain(studio: Studio, answer: Answer): void {
  const { run, documents } = studio;
  giveUpImproving(studio);
  run.setState({ answer, outcome: undefined, whatIf: undefined, improvement: undefined });
  void documents
    .getState()
    .keepResult({ problemKey: answer.problemKey, result: answer.recommendation });
}

/** What the search was for is no more. */
function giveUpImproving({ run, engine }: Studio): void {
  if (!run.getState().running?.improves) return;
  run.setState({ running: undefined });
  engine.stop();
}

/** Undefined where the answer is current, or answers a project that differs in more than what a what-if edits. */
function editedProject({ documents, run }: Studio): Edited | undefined {
  const { answer } = run.getState();
  if (!answer?.problem) return undefined;
  const checked = check(documents.getState().document);
  if (!checked.ok || checked.key === answer.problemKey) return undefined;
  return hasSameTables(answer.problem, checked.problem)
    ? { key: checked.key, problem: checked.problem, answer }
    : undefined;
}

/** Whether the tables and plans of an answer to one are tables and plans of the other. */
function hasSameTables(one: Problem, other: Problem): boolean {
  const same = (a: unknown, b: unknown): boolean =>
    a === b || JSON.stringify(a) === JSON.stringify(b);
  return (
    one.workload.timeline.steps === other.workload.timeline.steps &&
    one.statements.length === other.statements.length &&
    one.statements.every((statement, at) => same(statement, other.statements[at])) &&
    same(one.entityGraph, other.entityGraph) &&
    same(one.costModel, other.costModel) &&
    same(one.options, other.options) &&
    same(one.startSchema, other.startSchema) &&
    same(one.handMade, other.handMade)
  );
}
