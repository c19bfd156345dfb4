/** Shares of rows that move, measured as bars, with a diamond where theory puts them. */
import { useId } from "react";
import { perCent } from "../design/format.ts";
import type { MoveRow } from "./lab-rows.ts";

const line = 40;
const left = 190;
const right = 64;

export function MovesChart({
  rows,
  width,
}: {
  readonly rows: readonly MoveRow[];
  readonly width: number;
}) {
  const title = useId();
  const height = rows.length * line + 24;
  const half = (width - left) / 2;
  const plot = half - right;
  return (
    <svg
      className="moves-chart chart"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-labelledby={title}
      data-picture="moves"
    >
      <title id={title}>
        {rows
          .map(
            ({ name, joins, leaves }) =>
              `${name}: a node that joins moves ${perCent(joins.share)}, theory ${perCent(joins.expected)}; one that leaves ${perCent(leaves.share)}, theory ${perCent(leaves.expected)}`,
          )
          .join(". ")}
      </title>
      <text x={left} y={12} className="metric-name">
        a node joins
      </text>
      <text x={left + half} y={12} className="metric-name">
        the last node leaves
      </text>
      {rows.map(({ name, joins, leaves }, index) => (
        <g key={name} transform={`translate(0 ${20 + index * line})`}>
          <text x={left - 12} y={20} textAnchor="end" className="row-name">
            {name.length > 28 ? `${name.slice(0, 27)}…` : name}
          </text>
          <Move x={left} plot={plot} move={joins} />
          <Move x={left + half} plot={plot} move={leaves} />
        </g>
      ))}
    </svg>
  );
}

function Move(props: {
  readonly x: number;
  readonly plot: number;
  readonly move: MoveRow["joins"];
}) {
  const { x, plot, move } = props;
  const end = x + move.share * plot;
  const at = x + move.expected * plot;
  return (
    <g>
      <path className="base-line" d={`M${x} 2V32`} />
      <rect className="moved-bar" x={x} y={8} width={Math.max(0, move.share * plot)} height={16}>
        <title>{`${perCent(move.share)} of all rows move; theory: ${perCent(move.expected)}, ${move.because}`}</title>
      </rect>
      <path className="theory-mark" d={`M${at} 9l6 7l-6 7l-6 -7z`}>
        <title>{`theory: ${perCent(move.expected)}, ${move.because}`}</title>
      </path>
      <text x={Math.max(end, at) + 11} y={20} className="move-figure">
        {perCent(move.share)}
      </text>
    </g>
  );
}
