/** The entities as a list, and the numbers of the selected one: records, distinct values, bytes, links. */
import { useContext } from "react";
import {
  editRelationship,
  setAttributeBytes,
  setAttributeDistinct,
  setEntityCount,
} from "#document/commands.ts";
import { endMarks, markText } from "#document/multiplicity.ts";
import {
  type AttributeRecord,
  type EntityId,
  type EntityRecord,
  entityName,
  type RelationshipId,
  type RelationshipRecord,
} from "#document/schema.ts";
import { defaultBytes } from "#model/entity-graph.ts";
import type { Issue } from "#model/issue.ts";
import { EntityHueContext, hueStyle } from "../design/family-line.tsx";
import { count, exactNumber } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useEdit } from "../studio-state.ts";
import type { EntityBox } from "./graph-rows.ts";

export interface EntityPanelProps {
  readonly boxes: readonly EntityBox[];
  readonly selected: EntityBox | undefined;
  readonly issues: readonly Issue[];
  readonly onPick: (entity: EntityId) => void;
}

export function EntityPanel({ boxes, selected, issues, onPick }: EntityPanelProps) {
  return (
    <div className="model-panel">
      <EntityList boxes={boxes} selected={selected} onPick={onPick} />
      {selected ? (
        <EntityDetails key={selected.id} box={selected} issues={issues} />
      ) : (
        <p className="quiet">Select an entity to change its number of records and of values.</p>
      )}
    </div>
  );
}

function EntityList(props: Omit<EntityPanelProps, "issues">) {
  const { boxes, selected, onPick } = props;
  const hues = useContext(EntityHueContext);
  return (
    <section aria-labelledby="entities-head">
      <h2 id="entities-head">Entities</h2>
      <ul className="entity-list">
        {boxes.map((box) => {
          const records = count(box.count, "records");
          return (
            <li key={box.id}>
              <button
                type="button"
                aria-current={box.id === selected?.id}
                onClick={() => onPick(box.id)}
              >
                <span className="entity-ink" style={hueStyle(hues, box.name)}>
                  {box.name}
                </span>
                <span className="quiet" title={records.exact}>
                  {records.text}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function EntityDetails({
  box,
  issues,
}: {
  readonly box: EntityBox;
  readonly issues: readonly Issue[];
}) {
  const entity = useDocument((document) => document.entities[box.id]);
  const edit = useEdit();
  if (!entity) return null;
  const own = issues.filter(
    (issue) =>
      issue.place === `entities/${box.id}` || issue.place.startsWith(`entities/${box.id}/`),
  );
  return (
    <section className="entity-details" aria-labelledby="entity-head">
      <div className="panel-head">
        <h2 id="entity-head">{box.name}</h2>
      </div>
      <IssueList issues={own} />
      <NumberField
        label={`Records of ${box.name}`}
        value={entity.count}
        unit="records"
        onCommit={(value) =>
          edit(`Change the records of ${box.name}`, (document) =>
            setEntityCount(document, box.id, value ?? Number.NaN),
          )
        }
      />
      <AttributeTable id={box.id} name={box.name} entity={entity} />
      <Relationships id={box.id} />
    </section>
  );
}

function AttributeTable(props: {
  readonly id: EntityId;
  readonly name: string;
  readonly entity: EntityRecord;
}) {
  const { id, name, entity } = props;
  return (
    <table className="attribute-table">
      <caption className="visually-hidden">Attributes of {name}</caption>
      <thead>
        <tr>
          <th scope="col">Attribute</th>
          <th scope="col">Type</th>
          <th scope="col">Distinct values</th>
          <th scope="col">Bytes</th>
        </tr>
      </thead>
      <tbody>
        {entity.attributes.map((attribute) => (
          <AttributeRow
            key={attribute.name}
            id={id}
            name={name}
            attribute={attribute}
            entity={entity}
          />
        ))}
      </tbody>
    </table>
  );
}

function AttributeRow(props: {
  readonly id: EntityId;
  readonly name: string;
  readonly entity: EntityRecord;
  readonly attribute: AttributeRecord;
}) {
  const { id, name, entity, attribute } = props;
  const edit = useEdit();
  const identifies = entity.identifier.includes(attribute.name);
  const place = `${name}.${attribute.name}`;
  const standard = attribute.type === "boolean" ? Math.min(2, entity.count) : entity.count;
  return (
    <tr>
      <td>
        <span className="key-mark">
          {identifies && (
            <span title="Part of the identifier">
              <Icon name="key" size={12} />
            </span>
          )}
        </span>
        {attribute.name}
      </td>
      <td className="quiet small">{attribute.type}</td>
      <td>
        <NumberField
          label={`Distinct values of ${place}`}
          hideLabel
          optional
          width={96}
          value={attribute.distinct}
          placeholder={exactNumber(standard)}
          onCommit={(value) =>
            edit(`Change the distinct values of ${place}`, (document) =>
              setAttributeDistinct(document, id, attribute.name, value),
            )
          }
        />
      </td>
      <td>
        <NumberField
          label={`Bytes of ${place}`}
          hideLabel
          optional
          width={58}
          value={attribute.bytes}
          placeholder={exactNumber(defaultBytes[attribute.type])}
          onCommit={(value) =>
            edit(`Change the bytes of ${place}`, (document) =>
              setAttributeBytes(document, id, attribute.name, value),
            )
          }
        />
      </td>
    </tr>
  );
}

function Relationships({ id }: { readonly id: EntityId }) {
  const relationships = useDocument((document) => document.relationships);
  const own = Object.entries(relationships).filter(([, { ends }]) =>
    ends.some((end) => end.entity === id),
  );
  if (own.length === 0) return null;
  return (
    <section aria-labelledby="relationships-head">
      <h3 id="relationships-head">Relationships</h3>
      <ul className="relationships">
        {own.map(([key, relationship]) => (
          <RelationshipItem key={key} id={key} of={id} relationship={relationship} />
        ))}
      </ul>
    </section>
  );
}

function RelationshipItem(props: {
  readonly id: RelationshipId;
  readonly of: EntityId;
  readonly relationship: RelationshipRecord;
}) {
  const { id, of, relationship } = props;
  const entities = useDocument((document) => document.entities);
  const hues = useContext(EntityHueContext);
  const edit = useEdit();
  const marks = endMarks(relationship);
  const far = relationship.ends[0].entity === of ? 1 : 0;
  const end = relationship.ends[far];
  const record = entities[end.entity];
  const name = record ? entityName(end.entity, record) : end.entity;
  const child = entities[relationship.ends[1].entity];
  const linksAreFree = relationship.multiplicity === "manyToMany" || relationship.optional === true;
  return (
    <li>
      <span>
        {end.role} <span className="tag">{markText(marks[far])}</span>{" "}
        <span className="entity-ink" style={hueStyle(hues, name)}>
          {name}
        </span>
      </span>
      {linksAreFree && (
        <NumberField
          label={`Linked pairs of ${end.role}`}
          optional={relationship.multiplicity !== "manyToMany"}
          value={relationship.links}
          placeholder={exactNumber(child?.count ?? 0)}
          unit="links"
          onCommit={(links) =>
            edit(`Change the links of ${end.role}`, (document) =>
              editRelationship(document, id, { links }),
            )
          }
        />
      )}
    </li>
  );
}
