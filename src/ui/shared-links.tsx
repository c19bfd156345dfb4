/** A link that is pasted into the address of a page that is already open; the page is not loaded again then. */
import { useEffect, useState } from "react";
import type { Issue } from "#model/issue.ts";
import { Icon } from "./design/icon.tsx";
import { isSharedLink, openSharedLink } from "./shared-project.ts";
import { lookFromTheStart, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

export function SharedLinks() {
  const studio = useStudio();
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  useEffect(() => {
    const follow = (): void => {
      const { hash } = window.location;
      if (!isSharedLink(hash)) return;
      void openSharedLink(studio.documents, hash).then((found) => {
        setIssues(found);
        if (found.length === 0) lookFromTheStart(studio);
      });
    };
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [studio]);
  if (issues.length === 0) return null;
  return (
    <div className="message error project-banner" role="alert">
      <Icon name="error" />
      <div>
        <strong>{texts.share.notOpened}</strong>
        {issues.slice(0, 8).map((issue) => (
          <p key={issue.place + issue.message}>
            {issue.place && <code className="mono small">{issue.place}</code>} {issue.message}{" "}
            {issue.hint}
          </p>
        ))}
      </div>
      <button type="button" className="button small" onClick={() => setIssues([])}>
        {texts.common.closeMessage}
      </button>
    </div>
  );
}
