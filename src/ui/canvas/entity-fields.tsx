/**
 * Everything about one entity in fields: name, records, attributes with type, distinct values, bytes and
 * whether they identify. The same in the outline and in the open card on the canvas.
 */
import { useState } from "react";
import {
  addAttribute,
  removeAttribute,
  setAttributeBytes,
  setAttributeDistinct,
  setAttributeType,
  setEntityCount,
} from "#document/commands.ts";
import { moveAttribute, newAttribute, setIdentifies } from "#document/graph-commands.ts";
import { renameAttribute, renameEntity } from "#document/rename.ts";
import {
  type AttributeRecord,
  type EntityId,
  type EntityRecord,
  entityName,
} from "#document/schema.ts";
import { type AttributeType, defaultBytes } from "#model/entity-graph.ts";
import { exactNumber } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { MenuButton } from "../design/menu.tsx";
import { NumberField } from "../design/number-field.tsx";
import { TextField } from "../design/text-field.tsx";
import { useDocument, useStudio } from "../studio-state.ts";
import { useModelActions } from "./model-actions.ts";
import { keptKeys, keyRoles, roleRows } from "./outline-rows.ts";

const attributeTypes = Object.keys(defaultBytes) as readonly AttributeType[];

export interface EntityFieldsProps {
  readonly id: EntityId;
  /** The name takes the focus: the entity has just been made. */
  readonly namesFirst?: boolean;
}

export function EntityFields({ id, namesFirst = false }: EntityFieldsProps) {
  const entity = useDocument((document) => document.entities[id]);
  const { draw } = useModelActions();
  if (!entity) return null;
  const name = entityName(id, entity);
  return (
    <div className="entity-fields">
      <div className="entity-line">
        <TextField
          label={`Name of ${name}`}
          value={name}
          takesFocus={namesFirst}
          onCommit={(text) =>
            draw(`Rename ${name} to ${text}`, (document) => renameEntity(document, id, text))
          }
        />
        <NumberField
          label={`Records of ${name}`}
          value={entity.count}
          width={104}
          onCommit={(value) =>
            draw(`Change the records of ${name}`, (document) =>
              setEntityCount(document, id, value ?? Number.NaN),
            )
          }
        />
      </div>
      <AttributeList id={id} name={name} entity={entity} />
      <KeyRoles id={id} name={name} entity={entity} />
    </div>
  );
}

interface PartProps {
  readonly id: EntityId;
  readonly name: string;
  readonly entity: EntityRecord;
}

function AttributeList({ id, name, entity }: PartProps) {
  const { documents } = useStudio();
  const { draw } = useModelActions();
  const [fresh, setFresh] = useState<string>();
  const names = entity.attributes.map((attribute) => attribute.name);
  const keys = useKeptKeys(names);
  const add = (): void => {
    const attribute = newAttribute(documents.getState().document, id);
    if (!attribute) return;
    draw(`Add ${name}.${attribute.name}`, (document) => addAttribute(document, id, attribute));
    setFresh(attribute.name);
  };
  return (
    <>
      {names.length > 0 && (
        <div className="attribute-head" aria-hidden="true">
          <span />
          <span>Attribute</span>
          <span>Type</span>
          <span className="figure-head">Distinct</span>
          <span className="figure-head">Bytes</span>
        </div>
      )}
      <ul className="attributes" aria-label={`Attributes of ${name}`}>
        {entity.attributes.map((attribute, index) => (
          <AttributeItem
            key={keys.get(attribute.name)}
            id={id}
            name={name}
            entity={entity}
            attribute={attribute}
            index={index}
            takesFocus={attribute.name === fresh}
          />
        ))}
      </ul>
      <button type="button" className="button small plain add-attribute" onClick={add}>
        <Icon name="plus" size={12} />
        Add attribute
        <span className="visually-hidden"> to {name}</span>
      </button>
    </>
  );
}

function useKeptKeys(names: readonly string[]): ReadonlyMap<string, string> {
  const [keys, setKeys] = useState(() => keptKeys(new Map(), names));
  const isCurrent =
    keys.size === names.length && [...keys.keys()].every((name, index) => name === names[index]);
  if (isCurrent) return keys;
  const next = keptKeys(keys, names);
  setKeys(next);
  return next;
}

interface AttributeProps extends PartProps {
  readonly attribute: AttributeRecord;
  readonly index: number;
}

function AttributeItem(props: AttributeProps & { readonly takesFocus: boolean }) {
  const { id, name, entity, attribute, index, takesFocus } = props;
  const { draw } = useModelActions();
  const place = `${name}.${attribute.name}`;
  const identifies = entity.identifier.includes(attribute.name);
  return (
    <li
      className="attribute-row"
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (!by || !event.altKey) return;
        event.preventDefault();
        draw(`Move ${place}`, (document) =>
          moveAttribute(document, id, attribute.name, index + by),
        );
      }}
    >
      <button
        type="button"
        className="key-toggle"
        aria-pressed={identifies}
        aria-label={`${place} identifies a record`}
        title={identifies ? "Part of the identifier" : "Not part of the identifier"}
        onClick={() =>
          draw(identifies ? `Do not identify by ${place}` : `Identify by ${place}`, (document) =>
            setIdentifies(document, id, attribute.name, !identifies),
          )
        }
      >
        <Icon name="key" size={14} />
      </button>
      <TextField
        label={`Name of ${place}`}
        hideLabel
        value={attribute.name}
        takesFocus={takesFocus}
        onCommit={(text) =>
          draw(`Rename ${place} to ${text}`, (document) =>
            renameAttribute(document, id, attribute.name, text),
          )
        }
      />
      <select
        className="select"
        aria-label={`Type of ${place}`}
        value={attribute.type}
        onChange={(event) => {
          const type = attributeTypes.find((each) => each === event.target.value);
          if (type)
            draw(`Change the type of ${place}`, (document) =>
              setAttributeType(document, id, attribute.name, type),
            );
        }}
      >
        {attributeTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <AttributeFigures {...props} />
      <AttributeMenu {...props} />
    </li>
  );
}

function AttributeFigures({ id, name, entity, attribute }: AttributeProps) {
  const { draw } = useModelActions();
  const place = `${name}.${attribute.name}`;
  const standard = attribute.type === "boolean" ? Math.min(2, entity.count) : entity.count;
  return (
    <>
      <NumberField
        label={`Distinct values of ${place}`}
        hideLabel
        optional
        width={76}
        value={attribute.distinct}
        placeholder={exactNumber(standard)}
        unit="distinct"
        onCommit={(value) =>
          draw(`Change the distinct values of ${place}`, (document) =>
            setAttributeDistinct(document, id, attribute.name, value),
          )
        }
      />
      <NumberField
        label={`Bytes of ${place}`}
        hideLabel
        optional
        width={52}
        value={attribute.bytes}
        placeholder={exactNumber(defaultBytes[attribute.type])}
        unit="bytes"
        onCommit={(value) =>
          draw(`Change the bytes of ${place}`, (document) =>
            setAttributeBytes(document, id, attribute.name, value),
          )
        }
      />
    </>
  );
}

function AttributeMenu({ id, name, entity, attribute, index }: AttributeProps) {
  const { draw, tell } = useModelActions();
  const place = `${name}.${attribute.name}`;
  const move = (by: number): void => {
    draw(`Move ${place}`, (document) => moveAttribute(document, id, attribute.name, index + by));
  };
  return (
    <MenuButton
      label={`More for ${place}`}
      className="button plain icon-only row-menu"
      entries={() => [
        {
          kind: "action",
          label: "Move up",
          keys: "Alt ↑",
          disabled: index === 0,
          act: () => move(-1),
        },
        {
          kind: "action",
          label: "Move down",
          keys: "Alt ↓",
          disabled: index === entity.attributes.length - 1,
          act: () => move(1),
        },
        {
          kind: "action",
          label: `Delete ${place}`,
          act: () => {
            const warnings = draw(`Delete ${place}`, (document) =>
              removeAttribute(document, id, attribute.name),
            );
            tell([`Deleted ${place}.`, ...warnings.map(({ message }) => message)].join(" "));
          },
        },
      ]}
    >
      <Icon name="more" size={14} />
    </MenuButton>
  );
}

/** Parents whose identifier may be part of this one. */
function KeyRoles({ id, name, entity }: PartProps) {
  const entities = useDocument((document) => document.entities);
  const relationships = useDocument((document) => document.relationships);
  const { draw } = useModelActions();
  const rows = keyRoles(roleRows({ entities, relationships }, id));
  if (rows.length === 0) return null;
  return (
    <fieldset className="key-roles">
      <legend className="visually-hidden">Parents that identify {name}</legend>
      {rows.map(({ role, farName, relationship }) => (
        <label key={relationship} className="choice small">
          <input
            type="checkbox"
            checked={entity.identifier.includes(role)}
            onChange={(event) => {
              const identifies = event.target.checked;
              draw(
                identifies ? `Identify ${name} by ${role}` : `Do not identify ${name} by ${role}`,
                (document) => setIdentifies(document, id, role, identifies),
              );
            }}
          />
          <span>
            identified within its {role}
            {role !== farName && <span className="quiet"> ({farName})</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
