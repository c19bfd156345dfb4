/** Above the canvas: adding, editing what is selected, searching, focusing on a statement, how it is drawn. */
import { type ReactNode, useId } from "react";
import { useStore } from "zustand";
import { Icon } from "../design/icon.tsx";
import { MenuButton } from "../design/menu.tsx";
import { useDocument, useStudio } from "../studio-state.ts";
import { useModelActions, useSelection } from "./model-actions.ts";
import { editEntries } from "./model-menu.ts";
import { useModelView } from "./model-view.ts";
import { foundEntities } from "./outline-rows.ts";

/** `tools` are further ways to bring entities in. */
export function CanvasToolbar({ tools }: { readonly tools?: ReactNode }) {
  const actions = useModelActions();
  const view = useModelView();
  const selection = useSelection();
  const { marks, minimap } = useStore(view);
  const add = (): void => {
    const id = actions.addEntity();
    if (id !== undefined) view.setState({ opened: { kind: "entity", id }, wish: { entity: id } });
  };
  return (
    <div className="canvas-toolbar" role="toolbar" aria-label="Drawing">
      <button type="button" className="button small" onClick={add}>
        <Icon name="plus" size={12} />
        Add entity
      </button>
      {tools}
      <MenuButton label="Edit" entries={() => editEntries({ ...selection, actions, view })} />
      <button type="button" className="button small" onClick={actions.arrange}>
        <Icon name="layout" size={14} />
        Arrange
      </button>
      <MenuButton
        label="View"
        entries={() => [
          { kind: "line", label: "How many" },
          {
            kind: "choice",
            label: "As crow’s feet",
            chosen: marks === "crowsFeet",
            act: () => view.setState({ marks: "crowsFeet" }),
          },
          {
            kind: "choice",
            label: "As min..max",
            chosen: marks === "minMax",
            act: () => view.setState({ marks: "minMax" }),
          },
          { kind: "line", label: "Canvas" },
          {
            kind: "choice",
            label: "Small map",
            chosen: minimap === true,
            act: () => view.setState({ minimap: minimap !== true }),
          },
        ]}
      />
      <span className="spacer" />
      <Search />
      <Focus />
    </div>
  );
}

/** Enter goes from one finding to the next. */
export function Search() {
  const { documents } = useStudio();
  const view = useModelView();
  const { select } = useModelActions();
  const selection = useSelection();
  const search = useStore(view, (each) => each.search);
  const next = (): void => {
    const found = foundEntities(documents.getState().document, search) ?? [];
    const now = found.indexOf(selection.entities.at(-1) ?? "");
    const id = found[(now + 1) % Math.max(1, found.length)];
    if (id === undefined) return;
    select({ entities: [id], relationship: undefined });
    view.setState({ wish: { entity: id } });
  };
  return (
    <span className="search-box">
      <Icon name="search" size={14} />
      <input
        type="search"
        className="input"
        aria-label="Find entities, attributes and roles"
        placeholder="Find"
        value={search}
        onChange={(event) => view.setState({ search: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Enter") next();
          if (event.key === "Escape" && search !== "") {
            event.preventDefault();
            event.stopPropagation();
            view.setState({ search: "" });
          }
        }}
      />
    </span>
  );
}

function Focus() {
  const statements = useDocument((document) => document.statements);
  const view = useModelView();
  const focus = useStore(view, (each) => each.focus);
  const id = useId();
  // In a new project there is nothing to focus on yet.
  if (Object.keys(statements).length === 0) return null;
  return (
    <span className="focus-choice">
      <label htmlFor={id} className="small">
        Focus
      </label>
      <select
        id={id}
        className="select"
        value={focus ?? ""}
        onChange={(event) => view.setState({ focus: event.target.value || undefined })}
      >
        <option value="">everything</option>
        {Object.entries(statements).map(([statement, { label }]) => (
          <option key={statement} value={statement}>
            {label ?? statement}
          </option>
        ))}
      </select>
    </span>
  );
}
