/**
 * The frequencies as numbers: one row per statement, one column per step, under the chart's columns
 * where they fit. One cell at a time is in the tab order; only the cells in view exist.
 */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { setCurves, setFrequency } from "#document/commands.ts";
import type { StepRange } from "#model/frequency-curve.ts";
import type { Issue } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import { exactNumber, readNumber, threeDigits } from "../design/format.ts";
import { KindMark } from "../design/kind-mark.tsx";
import { stepLabel, stepName } from "../design/steps.ts";
import { moveCursor, useCursor, useDocument, useEdit, useStudio } from "../studio-state.ts";
import { curveRight, useCurveGutter } from "./curve-gutter.ts";
import { leftOutWords, pasted, readBlock, type StatementRow } from "./curve-rows.ts";
import {
  blockBetween,
  blockText,
  type Chosen,
  nothingChosen,
  selectionOf,
} from "./curve-selection.ts";
import { type CellPlace, cellAfterKey, type GridWindow, windowOf } from "./grid-window.ts";

const rowHeight = 30;
const leastCell = 50;

export interface FrequencyGridProps {
  readonly rows: readonly StatementRow[];
  readonly selected: StatementId | undefined;
  readonly onSelect: (statement: StatementId) => void;
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
}

interface Editing {
  readonly at: CellPlace;
  readonly draft: string;
}

export const FrequencyGrid = memo(function FrequencyGrid(props: FrequencyGridProps) {
  const { rows, selected, onSelect, chosen, onChoose } = props;
  const timeline = useDocument((document) => document.timeline);
  const frequencies = useDocument((document) => document.frequencies);
  const edit = useEdit();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, step: 0 });
  const [editing, setEditing] = useState<Editing>();
  const [problem, setProblem] = useState<string>();
  /** The cell from which a block is drawn out. */
  const [corner, setCorner] = useState<CellPlace>();
  const gutter = useCurveGutter();
  const view = useScrollWindow(scroller, rows.length, timeline.steps, gutter);
  const place = existing(active, rows.length, timeline.steps);
  const focusWanted = useFocusCell(scroller, place, view);

  const go = (next: CellPlace, drawsOut = false): void => {
    setActive(next);
    setProblem(undefined);
    focusWanted.current = true;
    const from = corner ?? place;
    if (drawsOut) onChoose(blockBetween(rows, from, next));
    else if (corner) onChoose(nothingChosen);
    setCorner(drawsOut ? from : undefined);
    const row = rows[next.row];
    if (row && row.id !== selected) onSelect(row.id);
  };
  const say = (issues: readonly Issue[]): boolean => {
    const error = issues.find((issue) => issue.severity === "error");
    setProblem(error && [error.message, error.hint].filter(Boolean).join(" "));
    return error === undefined;
  };
  const commit = (after?: CellPlace): void => {
    if (!editing) return;
    const { at, draft } = editing;
    const row = rows[at.row];
    const number = readNumber(draft);
    if (number === undefined || !row) {
      setProblem(`“${draft}” is no number. Enter executions per second, or press Esc.`);
      return;
    }
    const label = `Set ${row.label} at ${stepName(at.step, timeline.labels)}`;
    if (!say(edit(label, (document) => setFrequency(document, row.id, at.step, number)))) return;
    setEditing(undefined);
    go(after ?? at);
  };
  const keysWhileEditing = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!["Enter", "Tab", "Escape"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "Escape") {
      setEditing(undefined);
      go(place);
    } else if (event.key === "Enter") commit();
    else {
      const step = place.step + (event.shiftKey ? -1 : 1);
      commit({ ...place, step: Math.min(timeline.steps - 1, Math.max(0, step)) });
    }
  };
  const keysOnCells = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = cellAfterKey(event, place, rows.length, timeline.steps, view.rowsInView);
    if (next) {
      event.preventDefault();
      go(next, event.shiftKey);
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      setCorner({ row: 0, step: 0 });
      onChoose({ marked: new Set(rows.map(({ id }) => id)), range: undefined });
      return;
    }
    const draft = draftAfterKey(event, frequencies[rows[place.row]?.id ?? ""]?.[place.step] ?? 0);
    if (draft === undefined) return;
    event.preventDefault();
    setEditing({ at: place, draft });
  };
  const paste = (event: ClipboardEvent<HTMLDivElement>): void => {
    if (editing) return;
    event.preventDefault();
    const block = readBlock(event.clipboardData.getData("text/plain"));
    if ("wrong" in block) {
      setProblem(`“${block.wrong}” is no frequency; nothing was pasted.`);
      return;
    }
    const ids = rows.map((row) => row.id);
    const isTaken = say(
      edit("Paste frequencies", (document) =>
        setCurves(document, pasted(ids, document.frequencies, place, block.rows)),
      ),
    );
    const words = leftOutWords(block.rows, place, rows.length, timeline.steps);
    if (isTaken && words) setProblem(words);
  };
  const copy = (event: ClipboardEvent<HTMLDivElement>): void => {
    if (editing) return;
    event.preventDefault();
    const taken = corner ? chosen : blockBetween(rows, place, place);
    const block = selectionOf(taken, rows, selected, timeline.steps);
    event.clipboardData.setData("text/plain", blockText(block, frequencies));
  };
  return (
    <section className="frequency-grid" aria-label="Frequency grid">
      {/* biome-ignore lint/a11y/useSemanticElements: a table of this size has to leave out what is not in view. */}
      <div
        ref={scroller}
        className="grid-scroll"
        role="grid"
        aria-label="Executions per second"
        aria-rowcount={rows.length + 1}
        aria-colcount={timeline.steps + 1}
        tabIndex={-1}
        onKeyDown={editing ? keysWhileEditing : keysOnCells}
        onPaste={paste}
        onCopy={copy}
      >
        <div
          className="grid-sheet"
          style={{
            width: gutter + view.cellWidth * timeline.steps + curveRight,
            height: rowHeight * (rows.length + 1),
          }}
        >
          <HeadRow view={view} labels={timeline.labels} />
          {rows.slice(view.firstRow, view.lastRow + 1).map((row, offset) => (
            <GridRow
              key={row.id}
              row={row}
              index={view.firstRow + offset}
              view={view}
              curve={frequencies[row.id] ?? []}
              labels={timeline.labels}
              selected={row.id === selected}
              block={corner && chosen.marked.has(row.id) ? chosen.range : undefined}
              active={view.firstRow + offset === place.row ? place.step : undefined}
              editing={editing?.at.row === view.firstRow + offset ? editing : undefined}
              onSelect={go}
              onEdit={(at, draft) => setEditing({ at, draft })}
              onLeave={() => commit()}
              wrong={problem !== undefined}
            />
          ))}
        </div>
      </div>
      <GridNote problem={problem} />
    </section>
  );
});

/** The cell, or the nearest one where rows or steps have gone. */
function existing({ row, step }: CellPlace, rows: number, steps: number): CellPlace {
  return { row: Math.min(row, rows - 1), step: Math.min(step, steps - 1) };
}

function GridNote({ problem }: { readonly problem: string | undefined }) {
  return (
    <p className={problem ? "grid-note field-error" : "grid-note quiet small"} role="status">
      {problem ??
        "Executions per second. Type a number or paste a block from a sheet. Shift with arrows or a click chooses a block."}
    </p>
  );
}

/** What a key begins to write into a cell: a digit replaces the number, Enter keeps it. */
function draftAfterKey(event: KeyboardEvent, value: number): string | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === "Enter" || event.key === "F2") return String(value);
  if (event.key === "Delete" || event.key === "Backspace") return "0";
  return /^[\d.,]$/.test(event.key) ? event.key : undefined;
}

interface GridView extends GridWindow {
  /** Pixels left of the first step. */
  readonly gutter: number;
  readonly cellWidth: number;
  readonly rowsInView: number;
}

/** The cells in view, and how wide a step is: as wide as in the chart, but never too narrow for a number. */
function useScrollWindow(
  scroller: RefObject<HTMLDivElement | null>,
  rows: number,
  steps: number,
  gutter: number,
): GridView {
  const [box, setBox] = useState({ width: 0, height: 0, left: 0, top: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void =>
      setBox({
        width: element.clientWidth,
        height: element.clientHeight,
        left: element.scrollLeft,
        top: element.scrollTop,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller]);
  const cellWidth = Math.max(leastCell, (box.width - gutter - curveRight) / steps);
  return {
    gutter,
    cellWidth,
    rowsInView: Math.max(1, Math.floor(box.height / rowHeight) - 1),
    ...windowOf(box, { rowHeight, cellWidth, headWidth: gutter }, rows, steps),
  };
}

/** Brings the active cell into view and, when a key moved it there, focuses it. */
function useFocusCell(
  scroller: RefObject<HTMLDivElement | null>,
  place: CellPlace,
  { cellWidth, gutter }: GridView,
): { current: boolean } {
  const wanted = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !wanted.current) return;
    const left = place.step * cellWidth;
    const room = element.clientWidth - gutter;
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (left + cellWidth > element.scrollLeft + room)
      element.scrollLeft = left + cellWidth - room;
    const top = place.row * rowHeight;
    const height = element.clientHeight - rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + height)
      element.scrollTop = top + rowHeight - height;
    // The cell may only exist after the scroll has been drawn.
    requestAnimationFrame(() => {
      const cell = element.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]');
      // Whoever types fast is already writing into it.
      if (cell && wanted.current && !cell.querySelector("input"))
        cell.focus({ preventScroll: true });
      wanted.current = false;
    });
  });
  return wanted;
}

interface RowProps {
  readonly row: StatementRow;
  readonly index: number;
  readonly view: GridView;
  readonly curve: readonly number[];
  readonly labels: readonly string[] | undefined;
  readonly selected: boolean;
  /** The chosen steps, where the row is part of a block. */
  readonly block: StepRange | undefined;
  readonly active: number | undefined;
  readonly editing: Editing | undefined;
  readonly wrong: boolean;
  readonly onSelect: (at: CellPlace, drawsOut?: boolean) => void;
  readonly onEdit: (at: CellPlace, draft: string) => void;
  readonly onLeave: () => void;
}

function GridRow(props: RowProps) {
  const { row, index, view, curve, labels, selected, active, editing } = props;
  const steps = stepsInView(view);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus is on the cells.
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    <div
      role="row"
      aria-rowindex={index + 2}
      className={selected ? "grid-row selected" : "grid-row"}
      style={{ top: rowHeight * (index + 1) }}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: focus is on the cells. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      <div role="rowheader" className="grid-head" title={row.label} style={{ width: view.gutter }}>
        <KindMark kind={row.kind} />
        <span>{row.label}</span>
      </div>
      {steps.map((step) => (
        <GridCell
          key={step}
          {...props}
          step={step}
          value={curve[step] ?? 0}
          name={`${row.label}, ${stepName(step, labels)}`}
          isActive={active === step}
          draft={editing?.at.step === step ? editing.draft : undefined}
        />
      ))}
    </div>
  );
}

/** Longer figures, such as 0.00167, are written smaller, so that the narrowest cell shows all of them. */
const fullSizeDigits = 5;

interface CellProps extends RowProps {
  readonly step: number;
  readonly value: number;
  readonly name: string;
  readonly isActive: boolean;
  readonly draft: string | undefined;
}

function GridCell(props: CellProps) {
  const { index, step, value, name, isActive, draft, view, wrong, block } = props;
  const { onSelect, onEdit, onLeave } = props;
  const input = useRef<HTMLInputElement>(null);
  const isEditing = draft !== undefined;
  useEffect(() => {
    if (isEditing) input.current?.focus();
  }, [isEditing]);
  const at = { row: index, step };
  const isInBlock = block !== undefined && step >= block.first && step <= block.last;
  const text = threeDigits(value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid listens to the keys of all its cells.
    <div
      role="gridcell"
      aria-colindex={step + 2}
      aria-label={`${name}: ${exactNumber(value)} per second`}
      tabIndex={isActive ? 0 : -1}
      aria-selected={isInBlock}
      className={`grid-cell${isActive ? " active" : ""}${isInBlock ? " chosen" : ""}${text.length > fullSizeDigits ? " long" : ""}`}
      style={{ left: view.gutter + step * view.cellWidth, width: view.cellWidth }}
      title={exactNumber(value)}
      onClick={(event) => !isEditing && onSelect(at, event.shiftKey)}
      onDoubleClick={() => onEdit(at, String(value))}
    >
      {isEditing ? (
        <input
          ref={input}
          className="grid-input"
          aria-label={name}
          aria-invalid={wrong}
          inputMode="decimal"
          data-typing="true"
          value={draft}
          onChange={(event) => onEdit(at, event.target.value)}
          onBlur={onLeave}
        />
      ) : (
        text
      )}
    </div>
  );
}

function HeadRow(props: {
  readonly view: GridView;
  readonly labels: readonly string[] | undefined;
}) {
  const studio = useStudio();
  const cursor = useCursor();
  const { view, labels } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus is on the cells.
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    <div role="row" aria-rowindex={1} className="grid-row grid-top">
      {/* biome-ignore lint/a11y/useFocusableInteractive: focus is on the cells. */}
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      <div role="columnheader" className="grid-head" style={{ width: view.gutter }}>
        Statement
      </div>
      {stepsInView(view).map((step) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the slider under the room moves the cursor by keyboard.
        // biome-ignore lint/a11y/useSemanticElements: see the grid.
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above.
        <div
          key={step}
          role="columnheader"
          aria-colindex={step + 2}
          className={step === cursor ? "grid-cell at-cursor" : "grid-cell"}
          style={{ left: view.gutter + step * view.cellWidth, width: view.cellWidth }}
          title={`Move the time cursor to ${stepName(step, labels)}`}
          onClick={() => moveCursor(studio, step)}
        >
          {stepLabel(step, labels)}
        </div>
      ))}
    </div>
  );
}

function stepsInView(view: GridWindow): readonly number[] {
  const { firstStep, lastStep } = view;
  return Array.from(
    { length: Math.max(0, lastStep - firstStep + 1) },
    (_, index) => firstStep + index,
  );
}
