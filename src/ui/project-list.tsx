/** The projects of this browser: open, rename, duplicate, delete, and bring back what was deleted. */
import { useRef, useState } from "react";
import { Icon } from "./design/icon.tsx";
import { NameForm } from "./name-form.tsx";
import { type ProjectRow, projectRows } from "./project-rows.ts";
import { useDocumentState } from "./studio-state.ts";
import { texts } from "./texts.ts";
import { type Projects, useProjects } from "./use-projects.ts";
import "./projects.css";

/** Projects that are shown before the person asks for all. */
const shownAtFirst = 6;
const words = texts.projects;

/** The list under its heading; nothing at all before there is a project. */
export function ProjectSection({ id }: { readonly id: string }) {
  const projects = useProjects();
  if (!projects.list?.length && !projects.deleted && projects.issues.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.heading}</h2>
      <List projects={projects} />
      <p className="quiet small">{words.kept}</p>
    </section>
  );
}

export function ProjectList(props: { readonly onOpened?: () => void }) {
  return <List projects={useProjects()} onOpened={props.onOpened} />;
}

function List(props: {
  readonly projects: Projects;
  readonly onOpened?: (() => void) | undefined;
}) {
  const { projects } = props;
  const openId = useDocumentState((state) => state.projectId);
  const [all, setAll] = useState(false);
  const rows = projectRows(projects.list ?? [], openId, Date.now());
  const shown = all ? rows : rows.slice(0, shownAtFirst);
  return (
    <div className="project-list">
      {projects.issues.length > 0 && (
        <div className="message error" role="alert">
          <Icon name="error" />
          <div>
            <strong>{words.notDone}</strong>
            {projects.issues.map((issue) => (
              <p key={issue.place + issue.message}>
                {issue.message} {issue.hint}
              </p>
            ))}
          </div>
        </div>
      )}
      <div role="status">{projects.deleted && <Deleted projects={projects} />}</div>
      {projects.list?.length === 0 && <p className="quiet small">{words.none}</p>}
      <ul>
        {shown.map((row) => (
          <Row key={row.id} row={row} projects={projects} onOpened={props.onOpened} />
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" className="link-button" onClick={() => setAll(true)}>
          {words.showAll(rows.length)}
        </button>
      )}
    </div>
  );
}

function Deleted({ projects }: { readonly projects: Projects }) {
  const name = projects.deleted?.project.name ?? "";
  return (
    <p className="project-deleted">
      {words.removed(name)}
      <button
        type="button"
        className="button small"
        aria-label={words.undoRemoveNamed(name)}
        onClick={() => void projects.undoRemove()}
      >
        <Icon name="undo" size={14} />
        {words.undoRemove}
      </button>
    </p>
  );
}

function Row(props: {
  readonly row: ProjectRow;
  readonly projects: Projects;
  readonly onOpened: (() => void) | undefined;
}) {
  const { row, projects, onOpened } = props;
  const [renaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  if (renaming)
    return (
      <li className="project-row">
        <NameForm
          name={row.name}
          label={words.nameOf(row.name)}
          onDone={async (name) => {
            if (name !== undefined) await projects.rename(row.id, name);
            setRenaming(false);
            // Its button is there again by the next frame.
            requestAnimationFrame(() => renameButton.current?.focus());
          }}
        />
      </li>
    );
  const open = async (): Promise<void> => {
    await projects.open(row.id);
    onOpened?.();
  };
  return (
    <li className="project-row">
      <span className="project-row-name">
        {row.isOpen ? (
          <strong>{row.name}</strong>
        ) : (
          <button
            type="button"
            className="link-button"
            aria-label={words.openNamed(row.name)}
            onClick={() => void open()}
          >
            {row.name}
          </button>
        )}
        <span className="quiet small">
          {row.isOpen && <span className="tag">{words.isOpen}</span>} {row.saved}
        </span>
      </span>
      <span className="project-row-tools">
        <button
          ref={renameButton}
          type="button"
          className="button plain icon-only"
          aria-label={words.renameNamed(row.name)}
          title={words.rename}
          onClick={() => setRenaming(true)}
        >
          <Icon name="pencil" />
        </button>
        <button
          type="button"
          className="button plain icon-only"
          aria-label={words.duplicateNamed(row.name)}
          title={words.duplicate}
          onClick={() => void projects.duplicate(row.id)}
        >
          <Icon name="copy" />
        </button>
        <button
          type="button"
          className="button plain icon-only"
          aria-label={words.removeNamed(row.name)}
          title={words.remove}
          onClick={() => void projects.remove(row.id)}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  );
}
