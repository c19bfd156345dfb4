/**
 * An entity on the canvas: name and count, then its attributes, what identifies a record first. Opened,
 * the same card in fields. Relationships are drawn from the handles at its sides.
 */
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { EntityHueContext, hueStyle } from "../design/family-line.tsx";
import { count } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { EntityFields } from "./entity-fields.tsx";
import type { EntityBox } from "./graph-rows.ts";
import { useModelView } from "./model-view.ts";

export interface EntityNodeData extends Record<string, unknown> {
  readonly box: EntityBox;
  readonly faulty: boolean;
  /** Not what is searched for or in focus. */
  readonly dim: boolean;
  readonly opened: boolean;
}

export type EntityNodeType = Node<EntityNodeData, "entity">;

const sides = [
  ["left", Position.Left],
  ["right", Position.Right],
  ["top", Position.Top],
  ["bottom", Position.Bottom],
] as const;

export const EntityNode = memo(function EntityNode({ data, selected }: NodeProps<EntityNodeType>) {
  const hues = useContext(EntityHueContext);
  const { box, faulty, dim, opened } = data;
  const marks = [selected && "selected", faulty && "faulty", dim && "dim"].filter(Boolean);
  return (
    <>
      <div className={["entity-node", ...marks].join(" ")} style={hueStyle(hues, box.name)}>
        <Head box={box} />
        <ul>
          {box.lines.map((line) => (
            <li key={`${line.isRole ? "role" : "own"} ${line.name}`}>
              <span className="key-mark">
                {line.identifies && (
                  <span title="Part of the identifier">
                    <Icon name="key" size={12} />
                    <span className="visually-hidden">identifier</span>
                  </span>
                )}
              </span>
              <span className={line.identifies ? "line-name identifies" : "line-name"}>
                {line.name}
              </span>
              <span className="line-type quiet small">{line.type}</span>
            </li>
          ))}
        </ul>
      </div>
      {opened && <OpenCard box={box} />}
      {sides.map(([id, position]) => (
        <Handle
          key={id}
          id={id}
          type="source"
          position={position}
          className={opened ? "covered" : ""}
        />
      ))}
    </>
  );
});

function Head({ box }: { readonly box: EntityBox }) {
  const records = count(box.count, "records");
  return (
    <div className="entity-head">
      <span className="entity-name">{box.name}</span>
      <span className="quiet small" title={records.exact}>
        {records.text}
      </span>
    </div>
  );
}

/** Lies over the card, so that nothing else moves. */
function OpenCard({ box }: { readonly box: EntityBox }) {
  const view = useModelView();
  const close = (): void => {
    view.setState({ opened: undefined });
    document
      .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(box.id)}"]`)
      ?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and keys of the canvas, on their way out of the fields.
    <div
      className="open-card nodrag nopan nowheel"
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          event.preventDefault();
          close();
        }
        // Arrows move the cursor in a field, not the card.
        event.stopPropagation();
      }}
    >
      <EntityFields id={box.id} namesFirst />
      <button type="button" className="button small" onClick={close}>
        Done
      </button>
    </div>
  );
}
