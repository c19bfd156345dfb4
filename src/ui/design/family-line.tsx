/**
 * A column family, written the same way everywhere: `[partition] [clustering] → values`, partition
 * bold, clustering with sort arrows, values quiet, every column in the hue of its entity. Pointing at
 * one highlights the same family wherever it stands (`design/highlight.ts`).
 */
import { type CSSProperties, createContext, Fragment, useContext } from "react";
import { type ColumnFamily, columnFamilyText } from "#model/column-family.ts";
import {
  type ColumnReference,
  columnText,
  isConstant,
  type QueryGraph,
} from "#model/query-graph.ts";

/** Entity name → hue in degrees. */
export type EntityHues = ReadonlyMap<string, number>;

/** Hues apart from each other by the golden angle, in the order of the entities. */
export function entityHues(names: readonly string[]): EntityHues {
  return new Map(names.map((name, index) => [name, Math.round((205 + index * 137.508) % 360)]));
}

export const EntityHueContext = createContext<EntityHues>(new Map());

/** The custom property that colours `.entity-ink` and its like. */
export function hueStyle(hues: EntityHues, entity: string): CSSProperties {
  return { "--hue": hues.get(entity) ?? 220 } as CSSProperties;
}

export interface FamilyLineProps {
  readonly family: Pick<ColumnFamily, "graph" | "partitionKey" | "clusteringKey" | "values">;
  readonly oneLine?: boolean;
}

export function FamilyLine({ family, oneLine = false }: FamilyLineProps) {
  const { graph, partitionKey, clusteringKey, values } = family;
  return (
    <span
      className={oneLine ? "family one-line" : "family"}
      title={oneLine ? columnFamilyText(family) : undefined}
    >
      <span className="partition">
        <span className="bracket">[</span>
        <Columns graph={graph} columns={partitionKey} />
        <span className="bracket">]</span>
      </span>{" "}
      <span className="clustering">
        <span className="bracket">[</span>
        <Columns graph={graph} columns={clusteringKey} />
        <span className="bracket">]</span>
      </span>
      {values.length > 0 && (
        <span className="values">
          {" → "}
          <Columns graph={graph} columns={values} />
        </span>
      )}
    </span>
  );
}

interface ShownColumn extends ColumnReference {
  readonly direction?: "asc" | "desc";
}

function Columns(props: { readonly graph: QueryGraph; readonly columns: readonly ShownColumn[] }) {
  const hues = useContext(EntityHueContext);
  return props.columns.map((column, position) => {
    const node = props.graph.nodes[column.node];
    return (
      <Fragment key={columnText(props.graph, column)}>
        {position > 0 && ", "}
        {isConstant(column) ? (
          <span title="A constant column: all rows lie in one partition.">*</span>
        ) : (
          <>
            <span className="entity-ink" style={hueStyle(hues, node?.entity ?? "")}>
              {node?.label}
            </span>
            .{column.attribute}
          </>
        )}
        {column.direction && (
          <span className="arrow">{column.direction === "asc" ? "↑" : "↓"}</span>
        )}
      </Fragment>
    );
  });
}
