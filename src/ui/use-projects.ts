/** The projects of this browser as a list that keeps up, and what can be done with each of them. */
import { useCallback, useEffect, useState } from "react";
import { setName } from "#document/commands.ts";
import type { ProjectSummary } from "#document/storage.ts";
import {
  type DeletedProject,
  deleteStored,
  duplicateStored,
  renameStored,
  restoreStored,
} from "#document/stored-projects.ts";
import { anError, type Issue } from "#model/issue.ts";
import { openStoredProject, useDocumentState, useStudio } from "./studio-state.ts";
import { forgetUnsaved } from "./unsaved-copy.ts";

export interface Projects {
  /** Undefined until they are known. */
  readonly list: readonly ProjectSummary[] | undefined;
  /** The last one that was deleted here, until something else is. */
  readonly deleted: DeletedProject | undefined;
  /** Why the last thing could not be done. */
  readonly issues: readonly Issue[];
  readonly open: (id: string) => Promise<void>;
  readonly rename: (id: string, name: string) => Promise<void>;
  readonly duplicate: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly undoRemove: () => Promise<void>;
}

/** Several lists may be on the screen: what one of them changes, all show. */
const changes = new EventTarget();

export function useProjects(): Projects {
  const studio = useStudio();
  const { documents } = studio;
  const { storage } = documents.getState();
  const projectId = useDocumentState((state) => state.projectId);
  const saveKind = useDocumentState((state) => state.saveState.kind);
  const [list, setList] = useState<readonly ProjectSummary[]>();
  const [deleted, setDeleted] = useState<DeletedProject>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);

  const load = useCallback(async (): Promise<void> => {
    const recent = await storage.recent();
    setList(recent.ok ? recent.value : []);
    if (!recent.ok) setIssues([anError("", recent.failure.reason)]);
  }, [storage]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project, or one just saved, is a reason to look again.
  useEffect(() => void load(), [load, projectId, saveKind === "saved"]);
  useEffect(() => {
    const follow = (): void => void load();
    changes.addEventListener("change", follow);
    return () => changes.removeEventListener("change", follow);
  }, [load]);

  const after = (found: readonly Issue[]): void => {
    setIssues(found);
    changes.dispatchEvent(new Event("change"));
  };
  return {
    list,
    deleted,
    issues,
    open: async (id) => after(await openStoredProject(studio, id)),
    rename: async (id, name) => {
      if (id === documents.getState().projectId) {
        const found = documents
          .getState()
          .edit("Rename the project", (document) => setName(document, name));
        await documents.getState().saveNow();
        after(found);
        return;
      }
      const renamed = await renameStored(storage, id, name);
      after(renamed.ok ? [] : renamed.issues);
    },
    duplicate: async (id) => {
      if (id === documents.getState().projectId) await documents.getState().saveNow();
      const copied = await duplicateStored(storage, id);
      after(copied.ok ? [] : copied.issues);
    },
    remove: async (id) => {
      if (id === documents.getState().projectId) {
        const refused = await documents.getState().close();
        if (refused.length > 0) {
          after(refused);
          return;
        }
      }
      const gone = await deleteStored(storage, id);
      if (gone.ok) {
        setDeleted(gone.value);
        forgetUnsaved(id);
      }
      after(gone.ok ? [] : gone.issues);
    },
    undoRemove: async () => {
      if (!deleted) return;
      const back = await restoreStored(storage, deleted);
      if (back.ok) setDeleted(undefined);
      after(back.ok ? [] : back.issues);
    },
  };
}
