/** A relationship in fields: role and min..max in both directions, said as two sentences, and its links. */
import { editRelationship } from "#document/commands.ts";
import { allMarks, endMarks, markText, setEndMark } from "#document/multiplicity.ts";
import { renameRole } from "#document/rename.ts";
import {
  type EntityId,
  entityName,
  type RelationshipId,
  type RelationshipRecord,
} from "#document/schema.ts";
import { exactNumber } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { TextField } from "../design/text-field.tsx";
import { useDocument } from "../studio-state.ts";
import { useModelActions } from "./model-actions.ts";

export interface RelationshipFieldsProps {
  readonly id: RelationshipId;
  /** The entity from which it is looked at: what it has comes first. */
  readonly of?: EntityId | undefined;
}

export function RelationshipFields({ id, of }: RelationshipFieldsProps) {
  const relationship = useDocument((document) => document.relationships[id]);
  const entities = useDocument((document) => document.entities);
  const { draw } = useModelActions();
  if (!relationship) return null;
  const nameOf = (entity: EntityId): string => {
    const record = entities[entity];
    return record ? entityName(entity, record) : entity;
  };
  const [parent, child] = relationship.ends;
  const fromChild = of === child.entity && of !== parent.entity;
  const order: readonly (0 | 1)[] = fromChild ? [0, 1] : [1, 0];
  const linksAreFree = relationship.multiplicity === "manyToMany" || relationship.optional === true;
  return (
    <div className="relationship-fields">
      {order.map((end) => (
        <Direction
          key={end}
          id={id}
          relationship={relationship}
          end={end}
          from={nameOf(relationship.ends[1 - end]?.entity ?? "")}
          to={nameOf(relationship.ends[end].entity)}
        />
      ))}
      {relationship.bind && (
        <p className="small quiet">
          {Object.entries(relationship.bind)
            .map(([held, key]) => `${child.role} hold ${key} of ${parent.role} in ${held}.`)
            .join(" ")}
        </p>
      )}
      {linksAreFree && (
        <NumberField
          label={`Linked pairs of ${child.role}`}
          optional={relationship.multiplicity !== "manyToMany"}
          value={relationship.links}
          placeholder={exactNumber(entities[child.entity]?.count ?? 0)}
          unit="links"
          onCommit={(links) =>
            draw(`Change the links of ${child.role}`, (document) =>
              editRelationship(document, id, { links }),
            )
          }
        />
      )}
    </div>
  );
}

function Direction(props: {
  readonly id: RelationshipId;
  readonly relationship: RelationshipRecord;
  readonly end: 0 | 1;
  readonly from: string;
  readonly to: string;
}) {
  const { id, relationship, end, from, to } = props;
  const { draw, tell } = useModelActions();
  const { role } = relationship.ends[end];
  const mark = endMarks(relationship)[end];
  return (
    <div className="direction">
      <span className="small">
        <span className="quiet">Each</span> {from} <span className="quiet">has</span>
      </span>
      <select
        className="select"
        aria-label={`How many ${role} each ${from} has`}
        value={markText(mark)}
        onChange={(event) => {
          const next = allMarks.find((each) => markText(each) === event.target.value);
          if (!next) return;
          const issues = draw(`Change how many ${role} each ${from} has`, (document) =>
            setEndMark(document, id, end, next),
          );
          const words = issues.map(({ message, hint }) => `${message} ${hint ?? ""}`);
          const isRefused = issues.some(({ severity }) => severity === "error");
          if (words.length > 0) tell(words.join(" "), isRefused);
        }}
      >
        {allMarks.map((each) => (
          <option key={markText(each)}>{markText(each)}</option>
        ))}
      </select>
      <TextField
        label={`Role of ${to} for ${from}`}
        hideLabel
        value={role}
        onCommit={(text) =>
          draw(`Rename ${from}.${role} to ${text}`, (document) =>
            renameRole(document, id, end, text),
          )
        }
      />
      {role !== to && <span className="small quiet">({to})</span>}
    </div>
  );
}
