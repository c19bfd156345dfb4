/** Opens the studio: storage, the project of the last visit, the engine; then hands over to the shell. */
import type { ReactElement } from "react";
import { browserStorage } from "#document/indexed-db.ts";
import { emptyDocument } from "#document/schema.ts";
import { createDocumentStore } from "#document/store.ts";
import { connectEngine } from "#worker/client.ts";
import { followTabs } from "./project-tabs.ts";
import { showTheme } from "./session.ts";
import { openSharedAtFirst } from "./shared-project.ts";
import { Studio } from "./studio.tsx";
import { createStudio, lookFromTheStart, StudioContext } from "./studio-state.ts";
import { texts } from "./texts.ts";
import { forgetUnsaved, keepUnsaved, restoreUnsaved } from "./unsaved-copy.ts";
import { followEdits } from "./what-if.ts";

export async function openStudio(): Promise<ReactElement> {
  // First, so that the solver is loaded while everything else is.
  const engine = connectEngine();
  const documents = createDocumentStore({
    storage: browserStorage(),
    document: emptyDocument("Untitled"),
  });
  const shared = await openSharedAtFirst(documents);
  const last = shared?.length === 0 ? undefined : await documents.getState().openLast();
  const tabs = followTabs(documents);
  await tabs.settled();
  const studio = createStudio(documents, engine, undefined, tabs);
  if (shared?.length === 0) lookFromTheStart(studio);
  followEdits(studio);
  showTheme(studio.session.getState().theme);
  restoreUnsaved(documents);
  documents.subscribe((now, before) => {
    // An older copy would undo what has been saved since.
    if (now.saveState.kind === "saved" && before.saveState.kind === "saving")
      forgetUnsaved(now.projectId);
    // The tab that had the project open has gone, perhaps before it could save.
    if (before.reading === "elsewhere" && now.reading === undefined) restoreUnsaved(documents);
  });
  const save = (): void => {
    keepUnsaved(documents);
    void documents.getState().saveNow();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") save();
  });
  window.addEventListener("pagehide", save);
  return (
    <StudioContext value={studio}>
      <Studio
        opening={
          shared && shared.length > 0
            ? { what: texts.share.notOpened, issues: shared }
            : { what: texts.share.lastNotOpened, issues: last?.issues ?? [] }
        }
      />
    </StudioContext>
  );
}
