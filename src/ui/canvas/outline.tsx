/**
 * The outline: the entity graph as nested lists in which everything can be edited by keyboard. Entities
 * open to their attributes and relationships; what is selected on the canvas is open here.
 */
import { memo, useContext, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { markText } from "#document/multiplicity.ts";
import { type EntityId, entityName } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import { EntityHueContext, hueStyle } from "../design/family-line.tsx";
import { count } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { MenuButton } from "../design/menu.tsx";
import { useDocument, useStudio } from "../studio-state.ts";
import { EntityFields } from "./entity-fields.tsx";
import { useModelActions, useSelection } from "./model-actions.ts";
import { useModelView } from "./model-view.ts";
import { foundEntities, type RoleRow, roleRows } from "./outline-rows.ts";
import { RelationshipFields } from "./relationship-fields.tsx";

export function Outline({ issues }: { readonly issues: readonly Issue[] }) {
  const entities = useDocument((document) => document.entities);
  const relationships = useDocument((document) => document.relationships);
  const search = useStore(useModelView(), (view) => view.search);
  const selection = useSelection();
  const { addEntity } = useModelActions();
  const [fresh, setFresh] = useState<EntityId>();
  const [widened, setWidened] = useState<ReadonlySet<EntityId>>(new Set());
  const found = foundEntities({ entities, relationships }, search);
  const shown = found ?? Object.keys(entities);
  const ends = relationships[selection.relationship ?? ""]?.ends.map((end) => end.entity) ?? [];
  const chosen = new Set(selection.entities);
  const toggle = (id: EntityId): void => {
    setFresh(undefined);
    setWidened((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  };
  return (
    <section className="outline" aria-labelledby="entities-head">
      <header className="panel-head">
        <h2 id="entities-head">Entities</h2>
        <button
          type="button"
          className="button small"
          onClick={() => setFresh(addEntity() ?? fresh)}
        >
          <Icon name="plus" size={12} />
          Add entity
        </button>
      </header>
      {found && (
        <p className="quiet small" role="status">
          {found.length === 0 ? "Nothing found." : `${found.length} found.`}
        </p>
      )}
      {Object.keys(entities).length === 0 && (
        <p className="quiet">Nothing is drawn yet. Add an entity, then relate it to others.</p>
      )}
      <ul className="outline-list">
        {shown.map((id) => (
          <EntityItem
            key={id}
            id={id}
            isSelected={chosen.has(id)}
            isOpen={widened.has(id) || (chosen.size === 1 && chosen.has(id)) || ends[0] === id}
            namesFirst={fresh === id}
            issues={issues}
            onToggle={toggle}
          />
        ))}
      </ul>
    </section>
  );
}

interface EntityItemProps {
  readonly id: EntityId;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  readonly namesFirst: boolean;
  readonly issues: readonly Issue[];
  readonly onToggle: (id: EntityId) => void;
}

const EntityItem = memo(function EntityItem(props: EntityItemProps) {
  const { id, isSelected, isOpen, namesFirst, issues, onToggle } = props;
  const entity = useDocument((document) => document.entities[id]);
  const hues = useContext(EntityHueContext);
  const view = useModelView();
  const { select } = useModelActions();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  if (!entity) return null;
  const name = entityName(id, entity);
  const records = count(entity.count, "records");
  const own = issues.filter(
    ({ place }) => place === `entities/${id}` || place.startsWith(`entities/${id}/`),
  );
  return (
    <li ref={item} className={isSelected ? "outline-item selected" : "outline-item"}>
      <div className="outline-line">
        <button
          type="button"
          className="twist"
          aria-expanded={isOpen}
          aria-label={isOpen ? `Close ${name}` : `Open ${name}`}
          onClick={() => {
            // What is open because it is selected closes by being selected no longer.
            if (isOpen && isSelected) select({ entities: [], relationship: undefined });
            else onToggle(id);
          }}
        >
          <Icon name={isOpen ? "down" : "next"} size={12} />
        </button>
        <button
          type="button"
          className="outline-name"
          aria-current={isSelected}
          onClick={() => {
            select({ entities: [id], relationship: undefined });
            view.setState({ wish: { entity: id } });
          }}
        >
          <span className="entity-ink" style={hueStyle(hues, name)}>
            {name}
          </span>
          {own.length > 0 && (
            <span className="trouble-mark">
              <Icon name="warning" size={13} />
              <span className="visually-hidden">has mistakes</span>
            </span>
          )}
          <span className="quiet" title={records.exact}>
            {records.text}
          </span>
        </button>
        <EntityMenu id={id} name={name} />
      </div>
      {isOpen && (
        <div className="outline-body">
          <IssueList issues={own} />
          <EntityFields id={id} namesFirst={namesFirst} />
          <Roles id={id} name={name} />
        </div>
      )}
    </li>
  );
});

function EntityMenu({ id, name }: { readonly id: EntityId; readonly name: string }) {
  const { select, duplicate, remove } = useModelActions();
  return (
    <MenuButton
      label={`More for ${name}`}
      className="button plain icon-only row-menu"
      entries={() => [
        {
          kind: "action",
          label: `Duplicate ${name}`,
          act: () => {
            select({ entities: [id], relationship: undefined });
            duplicate();
          },
        },
        {
          kind: "action",
          label: `Delete ${name}`,
          act: () => remove({ entities: [id], relationships: [] }),
        },
      ]}
    >
      <Icon name="more" size={14} />
    </MenuButton>
  );
}

function Roles({ id, name }: { readonly id: EntityId; readonly name: string }) {
  const entities = useDocument((document) => document.entities);
  const relationships = useDocument((document) => document.relationships);
  const rows = roleRows({ entities, relationships }, id);
  return (
    <div className="outline-roles">
      {rows.length > 0 && (
        <ul aria-label={`Relationships of ${name}`}>
          {rows.map((row) => (
            <RoleItem key={`${row.relationship} ${row.end}`} of={id} row={row} />
          ))}
        </ul>
      )}
      <AddRelationship id={id} name={name} />
    </div>
  );
}

function RoleItem({ of, row }: { readonly of: EntityId; readonly row: RoleRow }) {
  const { relationship, role, mark, farName } = row;
  const hues = useContext(EntityHueContext);
  const selected = useSelection().relationship === relationship;
  const [widened, setWidened] = useState(false);
  const { remove, select } = useModelActions();
  const isOpen = selected || widened;
  return (
    <li>
      <div className="outline-line">
        <button
          type="button"
          className="role-name"
          aria-expanded={isOpen}
          onClick={() => {
            if (selected) select({ entities: [of], relationship: undefined });
            setWidened(!isOpen);
          }}
        >
          <Icon name={isOpen ? "down" : "next"} size={12} />
          <span>{role}</span>
          <span className="tag">{markText(mark)}</span>
          {role !== farName && (
            <span className="entity-ink" style={hueStyle(hues, farName)}>
              {farName}
            </span>
          )}
        </button>
        <button
          type="button"
          className="button plain icon-only row-menu"
          aria-label={`Delete the relationship ${role}`}
          title={`Delete the relationship ${role}`}
          onClick={() => remove({ entities: [], relationships: [relationship] })}
        >
          <Icon name="trash" size={14} />
        </button>
      </div>
      {isOpen && <RelationshipFields id={relationship} of={of} />}
    </li>
  );
}

function AddRelationship({ id, name }: { readonly id: EntityId; readonly name: string }) {
  const { documents } = useStudio();
  const { relate } = useModelActions();
  return (
    <MenuButton
      label={`Relate ${name} to`}
      className="button small plain"
      entries={() =>
        Object.entries(documents.getState().document.entities).map(([other, record]) => ({
          kind: "action",
          label: other === id ? `${name} (itself)` : entityName(other, record),
          act: () => {
            relate(id, other);
          },
        }))
      }
    >
      <Icon name="plus" size={12} />
      Relate to…
    </MenuButton>
  );
}
