/** An entity on the canvas: name and count, then its attributes, what identifies a record first. */
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useContext } from "react";
import { EntityHueContext, hueStyle } from "../design/family-line.tsx";
import { count } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import type { EntityBox } from "./graph-rows.ts";

export type EntityNodeType = Node<{ readonly box: EntityBox; readonly faulty: boolean }, "entity">;

export const EntityNode = memo(function EntityNode({ data, selected }: NodeProps<EntityNodeType>) {
  const hues = useContext(EntityHueContext);
  const { box, faulty } = data;
  const records = count(box.count, "records");
  return (
    <div
      className={`entity-node${selected ? " selected" : ""}${faulty ? " faulty" : ""}`}
      style={hueStyle(hues, box.name)}
    >
      <div className="entity-head">
        <span className="entity-name">{box.name}</span>
        <span className="quiet small" title={records.exact}>
          {records.text}
        </span>
      </div>
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
      <Handle type="source" position={Position.Right} isConnectable={false} />
      <Handle type="target" position={Position.Left} isConnectable={false} />
    </div>
  );
});
