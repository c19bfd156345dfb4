/** A titled chart with a button that shows the same data as a table. */
import { type ReactNode, useId, useState } from "react";
import { Icon } from "./icon.tsx";

export interface ChartFrameProps {
  readonly title: string;
  /** Unit or explanation, beside the title. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly height?: number;
  readonly children: ReactNode;
  /** Drawn only when asked for. */
  readonly table: () => ReactNode;
}

export function ChartFrame({ title, note, actions, height, children, table }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const heading = useId();
  return (
    <section className="chart-frame" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {note !== undefined && <span className="chart-note quiet small">{note}</span>}
        <span className="spacer" />
        {actions}
        <button
          type="button"
          className="button small plain"
          aria-pressed={asTable}
          aria-label={`${title} as a table`}
          onClick={() => setAsTable(!asTable)}
        >
          <Icon name={asTable ? "chart" : "table"} size={14} />
          {asTable ? "Chart" : "Table"}
        </button>
      </header>
      <div
        className="chart-body"
        style={height === undefined ? undefined : { height, flex: "none" }}
      >
        {asTable ? table() : children}
      </div>
    </section>
  );
}
