/** The Workload room: statements with their text on the left, their frequency curves and numbers on the right. */
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import type { StudioDocument } from "#document/schema.ts";
import type { Issue } from "#model/issue.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { exactNumber, frequencyAxis } from "../design/format.ts";
import { Split } from "../design/split.tsx";
import { stepHead } from "../design/steps.ts";
import { useChecked, useDocument, useSession, useStudio } from "../studio-state.ts";
import { WhatIfPanel } from "../what-if-panel.tsx";
import { ChangeStrip } from "./change-strip.tsx";
import { CurveChart } from "./curve-chart.tsx";
import {
  highestFrequency,
  keepUnchanged,
  type StatementGroup,
  type StatementRow,
  statementGroups,
} from "./curve-rows.ts";
import { type Chosen, nothingChosen, selectionOf, withMarks } from "./curve-selection.ts";
import { FrequencyGrid } from "./frequency-grid.tsx";
import { StatementEditor } from "./statement-editor.tsx";
import { StatementList } from "./statement-list.tsx";
import { TimelineFields } from "./timeline-fields.tsx";
import "./workload.css";

export function WorkloadRoom() {
  const { session } = useStudio();
  const statements = useDocument((document) => document.statements);
  const hasEntities = useDocument((document) => Object.keys(document.entities).length > 0);
  const selectedId = useSession((each) => each.statement);
  const { issues } = useChecked();
  const groups = useStatementGroups(statements, issues);
  const rows = useMemo(() => groups.flatMap((group) => group.rows), [groups]);
  const selected = rows.find((row) => row.id === selectedId) ?? rows[0];
  const select = useCallback(
    (statement: string): void => session.setState({ statement }),
    [session],
  );
  const [chosen, setChosen] = useState(nothingChosen);
  const mark = useCallback(
    (ids: readonly string[], isMarked: boolean): void =>
      setChosen((before) => ({ ...before, marked: withMarks(before.marked, ids, isMarked) })),
    [],
  );

  if (rows.length === 0 && !hasEntities)
    return (
      <div className="empty">
        <h2>No statements yet</h2>
        <p>
          A workload is a list of queries and updates, each with a curve that says how often it runs
          in every time step. Statements speak of entities, so draw those first; an example shows
          both.
        </p>
        <div className="actions">
          <a className="button primary" href="#/model">
            Draw the entities
          </a>
          <a className="button" href="#/start">
            See the examples
          </a>
        </div>
      </div>
    );
  return (
    <div className="workload-room">
      <Split
        name="workload-columns"
        label="Width of the statements"
        direction="across"
        initial={390}
        least={280}
        most={700}
        first={
          <Split
            name="statement-editor"
            label="Height of the statement editor"
            direction="down"
            sized="second"
            initial={320}
            least={150}
            most={600}
            first={
              <StatementList
                groups={groups}
                selected={selected?.id}
                onSelect={select}
                marked={chosen.marked}
                onMark={mark}
              />
            }
            second={
              selected ? (
                <StatementEditor
                  key={selected.id}
                  id={selected.id}
                  groups={groups.map(({ name }) => name).filter((name) => name !== "")}
                  before={rows[rows.indexOf(selected) - 1]?.id}
                  behind={rows[rows.indexOf(selected) + 1]?.id}
                  onSelect={select}
                />
              ) : (
                <p className="panel quiet">Add a statement to write it here.</p>
              )
            }
          />
        }
        second={
          <Split
            name="frequency-grid"
            label="Height of the frequency grid"
            direction="down"
            sized="second"
            initial={280}
            least={120}
            most={700}
            first={
              <div className="curves-and-cost">
                <Curves
                  rows={rows}
                  selected={selected?.id}
                  onSelect={select}
                  chosen={chosen}
                  onChoose={setChosen}
                />
                <WhatIfPanel />
              </div>
            }
            second={
              <FrequencyGrid
                rows={rows}
                selected={selected?.id}
                onSelect={select}
                chosen={chosen}
                onChoose={setChosen}
              />
            }
          />
        }
      />
    </div>
  );
}

function useStatementGroups(
  statements: StudioDocument["statements"],
  issues: readonly Issue[],
): readonly StatementGroup[] {
  const shown = useRef<readonly StatementGroup[]>([]);
  return useMemo(() => {
    shown.current = keepUnchanged(shown.current, statementGroups(statements, issues));
    return shown.current;
  }, [statements, issues]);
}

const Curves = memo(function Curves(props: {
  readonly rows: readonly StatementRow[];
  readonly selected: string | undefined;
  readonly onSelect: (statement: string) => void;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}) {
  // The list and the grid answer at once; the chart follows when there is time.
  const frequencies = useDeferredValue(useDocument((document) => document.frequencies));
  const selected = useDeferredValue(props.selected);
  const [logarithmic, setLogarithmic] = useState(false);
  const timeline = useDocument((document) => document.timeline);
  const unit = frequencyAxis(highestFrequency(Object.values(frequencies)));
  const selection = useMemo(
    () => selectionOf(props.chosen, props.rows, props.selected, timeline.steps),
    [props.chosen, props.rows, props.selected, timeline.steps],
  );
  return (
    <div className="curves">
      <ChangeStrip
        rows={props.rows}
        selection={selection}
        chosen={props.chosen}
        onChoose={props.onChoose}
      />
      <ChartFrame
        title="Frequency curves"
        note={unit.size === 1 ? "executions per second" : `executions, in ${unit.unit}`}
        actions={
          <>
            <label className="log-choice small">
              <input
                type="checkbox"
                checked={logarithmic}
                onChange={(event) => setLogarithmic(event.target.checked)}
              />
              Logarithmic
            </label>
            <TimelineFields />
          </>
        }
        table={() => (
          <DataTable
            caption="Executions per second of every statement in every step"
            columns={[
              { head: "Statement", cell: (row: StatementRow) => row.label },
              ...Array.from({ length: timeline.steps }, (_, step) => ({
                head: stepHead(step, timeline.labels),
                cell: (row: StatementRow) => exactNumber(frequencies[row.id]?.[step] ?? 0),
              })),
            ]}
            rows={props.rows}
            rowKey={(row) => row.id}
          />
        )}
      >
        <CurveChart
          rows={props.rows}
          onSelect={props.onSelect}
          selected={selected}
          frequencies={frequencies}
          timeline={timeline}
          logarithmic={logarithmic}
          marked={props.chosen.marked}
          range={props.chosen.range}
        />
      </ChartFrame>
    </div>
  );
});
