/** The way in for people who have nothing yet: an empty project, and the room to draw in. */
import { useState } from "react";
import { emptyDocument } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import { goTo, openDocument, useStudio } from "../studio-state.ts";
import { texts } from "../texts.ts";

export function DrawNew() {
  const studio = useStudio();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const begin = async (): Promise<void> => {
    const { entities, statements } = studio.documents.getState().document;
    const isEmpty = Object.keys(entities).length === 0 && Object.keys(statements).length === 0;
    // A project in which nothing is drawn is the one to draw in.
    const refused = isEmpty
      ? []
      : await openDocument(studio, emptyDocument(texts.projects.untitled));
    setIssues(refused);
    if (refused.length === 0) goTo(studio, "model");
  };
  return (
    <>
      <div className="actions">
        <button type="button" className="button primary" onClick={() => void begin()}>
          Draw from nothing
        </button>
      </div>
      {issues.map((issue) => (
        <p key={issue.message} className="field-error" role="alert">
          {issue.message} {issue.hint}
        </p>
      ))}
    </>
  );
}
