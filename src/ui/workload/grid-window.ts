/** The arithmetic of the frequency grid: which cells are in view, and where a key leads. */
import type { TimeStep } from "#model/workload.ts";

export interface CellPlace {
  readonly row: number;
  readonly step: TimeStep;
}

/** First and last row and step that exist, a few beyond the edges of the view included. */
export interface GridWindow {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstStep: TimeStep;
  readonly lastStep: TimeStep;
}

const beyond = 3;

export function windowOf(
  box: {
    readonly width: number;
    readonly height: number;
    readonly left: number;
    readonly top: number;
  },
  cell: { readonly rowHeight: number; readonly cellWidth: number; readonly headWidth: number },
  rows: number,
  steps: number,
): GridWindow {
  const columns = (box.width - cell.headWidth) / cell.cellWidth;
  const lines = box.height / cell.rowHeight;
  const row = Math.floor(box.top / cell.rowHeight);
  const step = Math.floor(box.left / cell.cellWidth);
  return {
    firstRow: Math.max(0, row - beyond),
    lastRow: Math.min(rows - 1, Math.ceil(row + lines) + beyond),
    firstStep: Math.max(0, step - beyond),
    lastStep: Math.min(steps - 1, Math.ceil(step + columns) + beyond),
  };
}

/** The cell that a key leads to, or undefined for keys that do not move. */
export function cellAfterKey(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">,
  at: CellPlace,
  rows: number,
  steps: number,
  page: number,
): CellPlace | undefined {
  const far = ctrlKey || metaKey;
  const moves: Readonly<Record<string, CellPlace>> = {
    ArrowLeft: { row: at.row, step: far ? 0 : at.step - 1 },
    ArrowRight: { row: at.row, step: far ? steps - 1 : at.step + 1 },
    ArrowUp: { row: far ? 0 : at.row - 1, step: at.step },
    ArrowDown: { row: far ? rows - 1 : at.row + 1, step: at.step },
    PageUp: { row: at.row - page, step: at.step },
    PageDown: { row: at.row + page, step: at.step },
    Home: { row: far ? 0 : at.row, step: 0 },
    End: { row: far ? rows - 1 : at.row, step: steps - 1 },
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return (
    next && {
      row: Math.min(rows - 1, Math.max(0, next.row)),
      step: Math.min(steps - 1, Math.max(0, next.step)),
    }
  );
}
