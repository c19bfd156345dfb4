/** The header's menu of projects: this one, the others, a new one, a file. */
import { useRef, useState } from "react";
import { writeDocument } from "#document/read.ts";
import { emptyDocument } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import { Icon } from "./design/icon.tsx";
import { download, fileName } from "./download.ts";
import { KeptCopies } from "./kept-copies.tsx";
import { useMenuPanel } from "./menu-panel.ts";
import { ProjectList } from "./project-list.tsx";
import { useCommands } from "./studio-commands.ts";
import { openDocument, openText, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

const words = texts.projects;

export function ProjectMenu() {
  const { isOpen, toggle, close, holder, panel } = useMenuPanel();
  useCommands([
    {
      id: "panel projects",
      words: texts.commands.openPanel(words.heading),
      group: texts.commands.groups.project,
      isPossible: !isOpen,
      run: toggle,
    },
  ]);
  return (
    <span ref={holder} className="project-menu">
      <button
        type="button"
        className="button plain icon-only"
        aria-label={words.menu}
        title={words.menu}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        <Icon name="projects" />
      </button>
      {isOpen && (
        <section ref={panel} className="project-panel" aria-label={words.menu}>
          <header>
            <h2>{words.heading}</h2>
            <button
              type="button"
              className="button plain icon-only"
              aria-label={texts.common.close}
              onClick={close}
            >
              <Icon name="close" />
            </button>
          </header>
          <Actions onDone={close} />
          <ProjectList onOpened={close} />
          <KeptCopies />
          <p className="quiet small">{words.kept}</p>
        </section>
      )}
    </span>
  );
}

function Actions({ onDone }: { readonly onDone: () => void }) {
  const studio = useStudio();
  const file = useRef<HTMLInputElement>(null);
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  const settle = (found: readonly Issue[]): void => {
    setIssues(found);
    if (found.length === 0) onDone();
  };
  return (
    <div className="project-actions">
      <button
        type="button"
        className="button small"
        onClick={() => void openDocument(studio, emptyDocument(words.untitled)).then(settle)}
      >
        <Icon name="plus" size={14} />
        {words.newOne}
      </button>
      <button type="button" className="button small" onClick={() => file.current?.click()}>
        <Icon name="upload" size={14} />
        {words.openFile}
      </button>
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          event.target.value = "";
          void chosen?.text().then(async (text) => settle(await openText(studio, text)));
        }}
      />
      <button
        type="button"
        className="button small"
        onClick={() => {
          const { present } = studio.documents.getState().history;
          download(fileName(present.name), writeDocument(present));
        }}
      >
        <Icon name="download" size={14} />
        {words.download}
      </button>
      {issues.length > 0 && (
        <ul className="field-error" role="alert">
          {issues.slice(0, 5).map((issue) => (
            <li key={issue.place + issue.message}>
              {issue.message} {issue.hint}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
