/** The header: project and save state, undo and redo, the run, theme and help. */
import { useState } from "react";
import { setName } from "#document/commands.ts";
import { redoLabel, undoLabel } from "#document/history.ts";
import { clock, duration, perCent, signedPerCent } from "./design/format.ts";
import { Icon } from "./design/icon.tsx";
import { ProjectMenu } from "./project-menu.tsx";
import { stageWords, useElapsed } from "./run-words.ts";
import { ScenarioMenu } from "./scenario-menu.tsx";
import type { Theme } from "./session.ts";
import { ShareMenu } from "./share-menu.tsx";
import {
  optimise,
  type RunningRun,
  stop,
  useDocument,
  useDocumentState,
  useEdit,
  useIsStale,
  useRun,
  useSession,
  useStudio,
} from "./studio-state.ts";
import { texts } from "./texts.ts";

export function StudioHeader() {
  return (
    <header className="studio-header">
      <div className="project">
        <Mark />
        <ProjectMenu />
        <ProjectName />
        <SaveStateWords />
        <UndoRedo />
        <ScenarioMenu />
      </div>
      <RunControl />
      <div className="tools">
        <PaletteButton />
        <ShareMenu />
        <ThemeButton />
        <HelpButton />
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" role="img" aria-label="Tidetable">
      <path
        d="M2 8c3 0 3-3 6-3s3 3 6 3 3-3 6-3M2 13c3 0 3-3 6-3s3 3 6 3 3-3 6-3M2 18c3 0 3-3 6-3s3 3 6 3 3-3 6-3"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

function ProjectName() {
  const name = useDocument((document) => document.name);
  const edit = useEdit();
  const [draft, setDraft] = useState<string>();
  const commit = (): void => {
    if (draft !== undefined && draft.trim() !== "")
      edit(texts.header.rename, (document) => setName(document, draft));
    setDraft(undefined);
  };
  const shown = draft ?? name;
  return (
    <input
      className="project-name"
      aria-label={texts.header.projectName}
      value={shown}
      size={Math.min(32, Math.max(8, shown.length))}
      data-typing={draft !== undefined}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape" && draft !== undefined) {
          event.preventDefault();
          setDraft(undefined);
        }
      }}
    />
  );
}

function SaveStateWords() {
  const state = useDocumentState((each) => each.saveState);
  const { documents } = useStudio();
  const { overwrite, saveAsCopy, saveNow } = documents.getState();
  if (state.kind !== "failed")
    return (
      <span
        className="save-state quiet small"
        role="status"
        title={state.kind === "untouched" ? texts.header.untouched : texts.header.keptHere}
      >
        {texts.header.saveStates[state.kind]}
      </span>
    );
  return (
    <span className="save-state failed small" role="alert">
      <Icon name="warning" size={14} />
      <span title={state.reason}>
        {state.elsewhere ? texts.header.savedElsewhere : texts.header.notSaved}
      </span>
      {state.elsewhere ? (
        <>
          <button type="button" className="link-button" onClick={() => void overwrite()}>
            {texts.header.keepThisOne}
          </button>
          <button type="button" className="link-button" onClick={() => void saveAsCopy()}>
            {texts.header.saveAsCopy}
          </button>
        </>
      ) : (
        <button type="button" className="link-button" onClick={() => void saveNow()}>
          {texts.trouble.tryAgain}
        </button>
      )}
    </span>
  );
}

function UndoRedo() {
  const undoWhat = useDocumentState((state) => undoLabel(state.history));
  const redoWhat = useDocumentState((state) => redoLabel(state.history));
  const { undo, redo } = useStudio().documents.getState();
  return (
    <span className="undo-redo">
      <button
        type="button"
        className="button plain icon-only"
        disabled={undoWhat === undefined}
        aria-label={
          undoWhat === undefined ? texts.commands.undo : texts.commands.undoNamed(undoWhat)
        }
        title={
          undoWhat === undefined ? texts.header.nothingToUndo : texts.commands.undoNamed(undoWhat)
        }
        onClick={undo}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className="button plain icon-only"
        disabled={redoWhat === undefined}
        aria-label={
          redoWhat === undefined ? texts.commands.redo : texts.commands.redoNamed(redoWhat)
        }
        title={
          redoWhat === undefined ? texts.header.nothingToRedo : texts.commands.redoNamed(redoWhat)
        }
        onClick={redo}
      >
        <Icon name="redo" />
      </button>
    </span>
  );
}

function RunControl() {
  const studio = useStudio();
  const running = useRun((run) => run.running);
  const nothing = useDocument((document) => Object.keys(document.statements).length === 0);
  if (running)
    return (
      <div className="run-control">
        <button type="button" className="button stop" onClick={() => stop(studio)}>
          <Icon name="stop" size={14} />
          {texts.header.stop}
        </button>
        <RunWords running={running} />
      </div>
    );
  return (
    <div className="run-control">
      <button
        type="button"
        className="button primary"
        disabled={nothing}
        title={nothing ? texts.header.noStatements : "Ctrl Enter"}
        onClick={() => optimise(studio)}
      >
        <Icon name="play" size={14} />
        {texts.commands.optimise}
      </button>
      <AnswerWords />
    </div>
  );
}

function RunWords({ running }: { readonly running: RunningRun }) {
  const seconds = useElapsed(running.started);
  const stage = running.progress?.stage;
  const gap = running.progress?.gap;
  return (
    <a href="#/optimise" className="run-words small">
      <span className="spinner" aria-hidden="true" />
      <span role="status">
        {running.improves
          ? texts.header.improving
          : stage === undefined
            ? texts.header.starting
            : (stageWords[stage] ?? stage)}
      </span>
      <span className="quiet">
        {gap !== undefined && Number.isFinite(gap) && `${texts.header.gap(perCent(gap))} · `}
        {clock(seconds)}
      </span>
    </a>
  );
}

function AnswerWords() {
  const answer = useRun((run) => run.answer);
  const outcome = useRun((run) => run.outcome?.outcome);
  const stale = useIsStale(answer?.problemKey);
  const now = useRun(({ whatIf }) =>
    whatIf?.recosted.status === "recosted" ? whatIf.recosted.answer.objective : undefined,
  );
  if (outcome)
    return (
      <a href="#/optimise" className="run-words small failed">
        <Icon name="warning" size={14} />
        {texts.header.noAnswer}
      </a>
    );
  if (!answer) return null;
  const { recommendation } = answer;
  const average = recommendation.baselines.find((each) => each.kind === "static average");
  return (
    <a href="#/results" className="run-words small">
      {stale ? (
        <>
          <Icon name="warning" size={14} />
          {now === undefined ? texts.header.stale : texts.header.sameTables(duration(now).text)}
          {now !== undefined && (
            <span className="quiet">{signedPerCent(now, recommendation.objective)}</span>
          )}
        </>
      ) : (
        <>
          <Icon name="done" size={14} />
          {duration(recommendation.objective).text}
          {average && (
            <span className="quiet">
              {texts.header.againstStatic(signedPerCent(recommendation.objective, average.cost))}
            </span>
          )}
        </>
      )}
    </a>
  );
}

function PaletteButton() {
  const { session } = useStudio();
  return (
    <button
      type="button"
      className="button plain icon-only"
      aria-label={texts.palette.button}
      aria-haspopup="dialog"
      title={texts.palette.buttonTitle}
      onClick={() => session.setState({ paletteOpen: true })}
    >
      <Icon name="search" />
    </button>
  );
}

const nextTheme: Readonly<Record<Theme, Theme>> = {
  system: "light",
  light: "dark",
  dark: "system",
};
function ThemeButton() {
  const { session } = useStudio();
  const theme = useSession((each) => each.theme);
  const words = texts.header.theme(texts.themes[theme], texts.themes[nextTheme[theme]]);
  return (
    <button
      type="button"
      className="button plain icon-only"
      aria-label={words}
      title={words}
      onClick={() => session.setState({ theme: nextTheme[theme] })}
    >
      <Icon name={theme} />
    </button>
  );
}

function HelpButton() {
  const { session } = useStudio();
  const open = useSession((each) => each.helpOpen);
  return (
    <button
      type="button"
      className="button plain icon-only"
      aria-label={texts.keys.help}
      aria-expanded={open}
      title={texts.keys.helpTitle}
      onClick={() => session.setState({ helpOpen: !open })}
    >
      <Icon name="help" />
    </button>
  );
}
