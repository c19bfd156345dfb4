/** What a person has to know about the project on the screen before anything else: read only, not saved. */
import { useEffect, useState } from "react";
import { writeDocument } from "#document/read.ts";
import { scenarioOf } from "#document/scenario.ts";
import type { Issue } from "#model/issue.ts";
import { Icon } from "./design/icon.tsx";
import { download, fileName } from "./download.ts";
import { useDocumentState, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

export function ProjectBanners() {
  const reading = useDocumentState((state) => state.reading);
  const saveState = useDocumentState((state) => state.saveState);
  return (
    <>
      <ScenarioBanner />
      {reading && <ReadingBanner reading={reading} />}
      {saveState.kind === "failed" && !saveState.elsewhere && (
        <NotSaved reason={saveState.reason} />
      )}
    </>
  );
}

/** Where an edit goes that is made now. */
function ScenarioBanner() {
  const { documents } = useStudio();
  const name = useDocumentState((state) => scenarioOf(state.history.present, state.scenario)?.name);
  if (name === undefined) return null;
  const words = texts.scenarios;
  return (
    <section className="message project-banner scenario-banner" aria-label={words.banner(name)}>
      <Icon name="scenario" />
      <div>
        <strong>{words.banner(name)}</strong> <span>{words.bannerHint}</span>
      </div>
      <button
        type="button"
        className="button"
        onClick={() => documents.getState().showScenario(undefined)}
      >
        {words.leave}
      </button>
    </section>
  );
}

function ReadingBanner({ reading }: { readonly reading: "elsewhere" | "shared" }) {
  const studio = useStudio();
  const refused = useDocumentState((state) => state.refusedEdits);
  const [isBusy, setBusy] = useState(false);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const isShared = reading === "shared";
  const words = texts.reading;
  const act = async (): Promise<void> => {
    setBusy(true);
    if (isShared) await studio.documents.getState().keepShared();
    else setIssues((await studio.tabs?.takeOver()) ?? []);
    setBusy(false);
  };
  return (
    <section
      className="message caution project-banner"
      aria-label={isShared ? words.shared : words.elsewhere}
    >
      <Icon name={isShared ? "share" : "projects"} />
      <div>
        <strong>{isShared ? words.shared : words.elsewhere}</strong>{" "}
        <span>{isShared ? words.sharedHint : words.elsewhereHint}</span>
        <div role="alert">{refused > 0 && <Refused key={refused} />}</div>
        {issues.map((issue) => (
          <p key={issue.message} className="field-error" role="alert">
            {issue.message} {issue.hint}
          </p>
        ))}
      </div>
      <button type="button" className="button primary" disabled={isBusy} onClick={() => void act()}>
        {isShared ? words.makeCopy : words.takeOver}
      </button>
    </section>
  );
}

/** Said again with every change that is refused. */
function Refused() {
  const [isFresh, setFresh] = useState(true);
  useEffect(() => {
    const timer = window.setTimeout(() => setFresh(false), 1200);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <p className={isFresh ? "project-refused fresh" : "project-refused"}>{texts.reading.refused}</p>
  );
}

function NotSaved({ reason }: { readonly reason: string }) {
  const { documents } = useStudio();
  const words = texts.trouble;
  return (
    <section className="message error project-banner" aria-label={words.notSaved}>
      <Icon name="error" />
      <div>
        <strong>{words.notSaved}</strong> <span>{reason}</span>
      </div>
      <span className="actions">
        <button
          type="button"
          className="button"
          onClick={() => void documents.getState().saveNow()}
        >
          {words.tryAgain}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            const { present } = documents.getState().history;
            download(fileName(present.name), writeDocument(present));
          }}
        >
          {words.download}
        </button>
      </span>
    </section>
  );
}
