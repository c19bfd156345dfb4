/** Opens the studio: storage, the project of the last visit, the engine; then hands over to the shell. */
import type { ReactElement } from "react";
import { browserStorage } from "#document/indexed-db.ts";
import { emptyDocument } from "#document/schema.ts";
import { createDocumentStore } from "#document/store.ts";
import { connectEngine } from "#worker/client.ts";
import { showTheme } from "./session.ts";
import { Studio } from "./studio.tsx";
import { createStudio, StudioContext } from "./studio-state.ts";
import { keepUnsaved, restoreUnsaved } from "./unsaved-copy.ts";
import { followEdits } from "./what-if.ts";

export async function openStudio(): Promise<ReactElement> {
  // First, so that the solver is loaded while everything else is.
  const engine = connectEngine();
  const documents = createDocumentStore({
    storage: browserStorage(),
    document: emptyDocument("Untitled"),
  });
  const { issues } = await documents.getState().openLast();
  const studio = createStudio(documents, engine);
  followEdits(studio);
  showTheme(studio.session.getState().theme);
  restoreUnsaved(documents);
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
      <Studio openingIssues={issues} />
    </StudioContext>
  );
}
