/**
 * The migration timeline: a row per table, a column per step; bars where it exists, hatched where it
 * is being filled, a triangle where it is ready and a cross where it is dropped.
 */
import { memo } from "react";
import { columnFamilyText } from "#model/column-family.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { FamilyLine } from "../design/family-line.tsx";
import { bytes, count, perCent, plural } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { Icon } from "../design/icon.tsx";
import { stepHead, stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import { plotRight } from "./plot-frame.ts";
import type { ChosenBuild } from "./time-view.tsx";
import { TimelineHead } from "./timeline-head.tsx";
import type { BuildMark, TimelineRow } from "./timeline-rows.ts";

export interface MigrationTimelineProps {
  readonly rows: readonly TimelineRow[];
  readonly steps: number;
  readonly labels: readonly string[] | undefined;
  readonly chosen: ChosenBuild | undefined;
  readonly onChoose: (build: ChosenBuild) => void;
}

export function MigrationTimeline(props: MigrationTimelineProps) {
  const { rows, steps, labels } = props;
  const moves = rows.some((row) => row.builds.length + row.drops.length > 0);
  return (
    <ChartFrame
      title="Migrations"
      note={
        moves
          ? "which tables exist when; press a triangle to see how a table is filled"
          : "the schema stays the same over all steps"
      }
      table={() => <TimelineTable rows={rows} labels={labels} />}
    >
      <div className="timeline">
        <TimelineHead steps={steps} labels={labels} />
        <div className="timeline-rows">
          {rows.map((row) => (
            <Row key={row.family.key} {...props} row={row} />
          ))}
          <StepCursor steps={steps} left="var(--gutter)" right={plotRight} />
        </div>
        <TimelineKey />
      </div>
    </ChartFrame>
  );
}

const Row = memo(function Row(props: MigrationTimelineProps & { readonly row: TimelineRow }) {
  const { row, steps, labels, chosen, onChoose } = props;
  const highlighted = useHighlighted(row.family.key);
  const at = (step: number): string => `${(step / steps) * 100}%`;
  return (
    <div
      className={highlighted ? "timeline-row highlighted" : "timeline-row"}
      {...highlightHandlers(row.family.key)}
    >
      <div className="timeline-name">
        <span className="tag">{row.tag}</span>
        {row.hot.length > 0 && (
          <span
            className="hot-table"
            title={`Hot at ${plural(row.hot.length, "step")}: one partition gets more than its node should carry`}
          >
            <Icon name="warning" size={13} />
            <span className="visually-hidden">hot</span>
          </span>
        )}
        <FamilyLine family={row.family} oneLine />
      </div>
      <div className="timeline-track" style={{ backgroundSize: `${100 / steps}% 100%` }}>
        {row.stretches.map(({ from, to }) => (
          <span
            key={from}
            className="existence"
            style={{ left: at(from), width: at(to - from + 1) }}
            title={`${row.tag} exists from ${stepName(from, labels)} to ${stepName(to, labels)}: ${bytes(row.family.size.bytes).text}`}
          />
        ))}
        {row.builds.map((mark) => (
          <BuildButton
            key={mark.to}
            row={row}
            mark={mark}
            steps={steps}
            labels={labels}
            isChosen={chosen?.family === row.family.key && chosen.to === mark.to}
            onChoose={onChoose}
          />
        ))}
        {row.hot.map((step) => (
          <span
            key={`hot ${step}`}
            className="hot-step"
            style={{ left: at(step), width: at(1) }}
            title={`${row.tag} is hot at ${stepName(step, labels)}: one partition gets ${perCent(row.balance?.steps[step]?.hottestShare ?? 0)} of its requests`}
          />
        ))}
        {row.drops.map((step) => (
          <span
            key={step}
            className="drop-mark"
            style={{ left: at(step + 1) }}
            title={`${row.tag} is dropped after ${stepName(step, labels)}`}
          >
            ✕
          </span>
        ))}
      </div>
    </div>
  );
});

function BuildButton(props: {
  readonly row: TimelineRow;
  readonly mark: BuildMark;
  readonly steps: number;
  readonly labels: readonly string[] | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (build: ChosenBuild) => void;
}) {
  const { row, mark, steps, labels, isChosen, onChoose } = props;
  const when = mark.from < 0 ? "before the first step" : `during ${stepName(mark.from, labels)}`;
  const words = `${row.tag} is built ${when}: see its migration plan`;
  return (
    <>
      {mark.from >= 0 && (
        <span
          className="building"
          style={{ left: `${(mark.from / steps) * 100}%`, width: `${100 / steps}%` }}
        />
      )}
      <button
        type="button"
        className="build-mark"
        style={{ left: `${(mark.to / steps) * 100}%` }}
        aria-label={words}
        aria-pressed={isChosen}
        title={words}
        onClick={() => onChoose({ family: row.family.key, to: mark.to })}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <path d="M3 1.5 12.5 7 3 12.5z" />
        </svg>
      </button>
    </>
  );
}

function TimelineKey() {
  return (
    <p className="timeline-key quiet small" aria-hidden="true">
      <span>
        <i className="existence" /> exists
      </span>
      <span>
        <i className="building" /> is being filled
      </span>
      <span>
        <svg width="12" height="12" viewBox="0 0 14 14" className="build-glyph" aria-hidden="true">
          <path d="M3 1.5 12.5 7 3 12.5z" />
        </svg>{" "}
        ready
      </span>
      <span>
        <span className="drop-glyph">✕</span> dropped
      </span>
      <span>
        <i className="hot-step" /> hot: one partition gets too much
      </span>
    </p>
  );
}

function TimelineTable({ rows, labels }: Pick<MigrationTimelineProps, "rows" | "labels">) {
  return (
    <DataTable
      caption="Tables over time"
      columns={[
        { head: "Table", cell: (row: TimelineRow) => row.tag },
        { head: "Columns", text: true, cell: (row) => columnFamilyText(row.family) },
        {
          head: "Exists",
          text: true,
          cell: (row) =>
            row.stretches
              .map(({ from, to }) => `${stepHead(from, labels)} to ${stepHead(to, labels)}`)
              .join(", "),
        },
        {
          head: "Built during",
          text: true,
          cell: (row) => row.builds.map((mark) => buildStep(mark, labels)).join(", ") || "–",
        },
        {
          head: "Dropped after",
          text: true,
          cell: (row) => row.drops.map((step) => stepHead(step, labels)).join(", ") || "–",
        },
        {
          head: "Largest partition",
          cell: ({ balance }) => (balance ? count(balance.largestRows, "rows").text : "–"),
        },
        {
          head: "Rows per node",
          cell: ({ balance }) => (balance ? `±${perCent(balance.rowVariation)}` : "–"),
        },
        {
          head: "Hot at",
          text: true,
          cell: (row) => row.hot.map((step) => stepHead(step, labels)).join(", ") || "–",
        },
      ]}
      rows={rows}
      rowKey={(row) => row.family.key}
    />
  );
}

function buildStep(mark: BuildMark, labels: readonly string[] | undefined): string {
  return mark.from < 0 ? "before the first" : stepHead(mark.from, labels);
}
