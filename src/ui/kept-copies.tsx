/** The copies that were kept of the project on the screen, each to be opened as a project of its own. */
import { useEffect, useState } from "react";
import type { ProjectCopy } from "#document/storage.ts";
import type { Issue } from "#model/issue.ts";
import { dateWords } from "./project-rows.ts";
import { openText, useDocumentState, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

const words = texts.projects;

export function KeptCopies() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="kept-copies" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.copies}</summary>
      {isOpen && <CopyList />}
    </details>
  );
}

function CopyList() {
  const studio = useStudio();
  const projectId = useDocumentState((state) => state.projectId);
  const [copies, setCopies] = useState<readonly ProjectCopy[]>();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  useEffect(() => {
    let current = true;
    void studio.documents
      .getState()
      .storage.copies(projectId)
      .then((stored) => current && setCopies(stored.ok ? stored.value : []));
    return () => {
      current = false;
    };
  }, [studio, projectId]);
  if (!copies) return null;
  if (copies.length === 0) return <p className="quiet small">{words.noCopies}</p>;
  return (
    <>
      <p className="quiet small">{words.copiesOf}</p>
      <ul>
        {copies.map((copy) => {
          const name = words.copyKept(copy.why, dateWords(copy.keptAt));
          return (
            <li key={`${copy.session} ${copy.why}`} className="project-row">
              <span className="small">{name}</span>
              <button
                type="button"
                className="button small"
                aria-label={`${words.openCopy}: ${name}`}
                onClick={() => void openText(studio, copy.text).then(setIssues)}
              >
                {words.openCopy}
              </button>
            </li>
          );
        })}
      </ul>
      {issues.map((issue) => (
        <p key={issue.place + issue.message} role="alert" className="field-error">
          {issue.message} {issue.hint}
        </p>
      ))}
    </>
  );
}
