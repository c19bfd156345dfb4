/** All statements by group, with how often each runs at the cursor and whether something is wrong with it. */
import {
  type DragEvent,
  type KeyboardEvent,
  memo,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from "react";
import { addStatement, freshId } from "#document/commands.ts";
import { moveStatementPast, placeStatement } from "#document/curve-commands.ts";
import type { StatementId } from "#model/statement.ts";
import { frequency } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { KindMark } from "../design/kind-mark.tsx";
import { useCursor, useDocument, useEdit, useStudio } from "../studio-state.ts";
import type { StatementGroup, StatementRow } from "./curve-rows.ts";

export interface StatementListProps {
  readonly groups: readonly StatementGroup[];
  readonly selected: StatementId | undefined;
  readonly onSelect: (statement: StatementId) => void;
  readonly marked: ReadonlySet<StatementId>;
  /** Marks or unmarks statements that are changed together. */
  readonly onMark: (statements: readonly StatementId[], isMarked: boolean) => void;
}

export const StatementList = memo(function StatementList(props: StatementListProps) {
  const { groups, selected, onSelect, marked, onMark } = props;
  const edit = useEdit();
  const list = useRef<HTMLElement>(null);
  const [dropAt, setDropAt] = useState<DropPlace>();
  const moved = useRef<StatementId>(undefined);
  // In another group the row is a new one, and would be without the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it has its place once the groups have changed.
  useEffect(() => {
    if (moved.current !== undefined) focusRow(list.current, moved.current);
    moved.current = undefined;
  }, [groups]);
  const rows = groups.flatMap((group) => group.rows);
  const move = (row: StatementRow, other: StatementRow, side: DropPlace["side"]): void => {
    const word = side === "before" ? "up" : "down";
    moved.current = row.id;
    edit(`Move ${row.label} ${word}`, (document) =>
      moveStatementPast(document, row.id, other.id, side),
    );
  };
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    const at = rows.findIndex(({ id }) => id === selected);
    const to = isRowButton(event.target) ? rowAfterKey(event.key, at, rows.length) : undefined;
    const [row, other] = [rows[at], rows[to ?? -1]];
    if (to === undefined || !row || !other) return;
    event.preventDefault();
    if (to === at) return;
    if (event.altKey) {
      move(row, other, to < at ? "before" : "behind");
      return;
    }
    if (event.shiftKey) onMark([row.id, other.id], true);
    onSelect(other.id);
    focusRow(list.current, other.id);
  };
  const drop = (event: DragEvent<HTMLElement>): void => {
    const id = event.dataTransfer.getData(dragged);
    setDropAt(undefined);
    if (!dropAt || id === "") return;
    event.preventDefault();
    const label = rows.find((row) => row.id === id)?.label ?? id;
    edit(`Move ${label}`, (document) => placeStatement(document, id, dropAt.beside, dropAt.side));
  };
  return (
    <section
      ref={list}
      className="panel statement-list"
      aria-labelledby="statements-head"
      onKeyDown={keys}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragged)) return;
        event.preventDefault();
        setDropAt(dropPlace(event));
      }}
      onDragLeave={() => setDropAt(undefined)}
      onDrop={drop}
    >
      <header className="panel-head">
        <h2 id="statements-head">Statements</h2>
        <AddStatement onSelect={onSelect} />
      </header>
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name || "Without a group"}>
          {(group.name !== "" || groups.length > 1) && (
            <GroupHead group={group} marked={marked} onMark={onMark} />
          )}
          <ul>
            {group.rows.map((row) => (
              <StatementItem
                key={row.id}
                row={row}
                isSelected={row.id === selected}
                isMarked={marked.has(row.id)}
                dropSide={dropAt?.beside === row.id ? dropAt.side : undefined}
                onSelect={onSelect}
                onMark={onMark}
              />
            ))}
          </ul>
        </section>
      ))}
      <p className="list-note quiet small">
        Drag a statement, or press Alt with ↑ or ↓, to move it. Tick several to change their curves
        together.
      </p>
    </section>
  );
});

/** The kind of what is dragged, so that files and texts from elsewhere do not count. */
const dragged = "application/x-tidetable-statement";

interface DropPlace {
  readonly beside: StatementId;
  readonly side: "before" | "behind";
}

/** Above or below the middle of the row under the pointer. */
function dropPlace(event: DragEvent<HTMLElement>): DropPlace | undefined {
  const row = (event.target as Element).closest<HTMLElement>("[data-statement]");
  const beside = row?.dataset["statement"];
  if (!row || beside === undefined) return undefined;
  const { top, height } = row.getBoundingClientRect();
  return { beside, side: event.clientY < top + height / 2 ? "before" : "behind" };
}

function focusRow(list: HTMLElement | null, id: StatementId): void {
  list?.querySelector<HTMLElement>(`[data-statement="${CSS.escape(id)}"]`)?.focus();
}

function isRowButton(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset["statement"] !== undefined;
}

function rowAfterKey(key: string, at: number, rows: number): number | undefined {
  const to: Readonly<Record<string, number>> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    Home: 0,
    End: rows - 1,
  };
  if (!Object.hasOwn(to, key)) return undefined;
  return Math.min(rows - 1, Math.max(0, to[key] ?? 0));
}

function GroupHead(props: {
  readonly group: StatementGroup;
  readonly marked: ReadonlySet<StatementId>;
  readonly onMark: StatementListProps["onMark"];
}) {
  const { group, marked, onMark } = props;
  const name = group.name || "Without a group";
  const all = group.rows.every(({ id }) => marked.has(id));
  return (
    <h3 className="group-name">
      {name}
      <input
        type="checkbox"
        aria-label={`Choose all of ${name}`}
        title={`Choose all of ${name} to change their curves together`}
        checked={all}
        onChange={() =>
          onMark(
            group.rows.map(({ id }) => id),
            !all,
          )
        }
      />
    </h3>
  );
}

const StatementItem = memo(function StatementItem(props: {
  readonly row: StatementRow;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly dropSide: DropPlace["side"] | undefined;
  readonly onSelect: (statement: StatementId) => void;
  readonly onMark: StatementListProps["onMark"];
}) {
  const { row, isSelected, isMarked, dropSide, onSelect, onMark } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li className={dropSide && `drop-${dropSide}`}>
      <button
        ref={button}
        type="button"
        className="statement-row"
        aria-current={isSelected}
        title={row.label}
        data-statement={row.id}
        tabIndex={isSelected ? 0 : -1}
        draggable
        onDragStart={(event) => {
          event.dataTransfer.setData(dragged, row.id);
          event.dataTransfer.effectAllowed = "move";
        }}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey) onMark([row.id], !isMarked);
          else onSelect(row.id);
        }}
      >
        <KindMark kind={row.kind} />
        <span className="statement-label">{row.label}</span>
        <Trouble row={row} />
        <FrequencyNow id={row.id} />
      </button>
      <input
        type="checkbox"
        className="mark"
        aria-label={`Choose ${row.label}`}
        title="Choose it, to change several curves together"
        tabIndex={isSelected ? 0 : -1}
        checked={isMarked}
        onChange={() => onMark([row.id], !isMarked)}
      />
    </li>
  );
});

function Trouble({ row }: { readonly row: StatementRow }) {
  if (row.errors === 0 && row.warnings === 0) return null;
  const isError = row.errors > 0;
  return (
    <span className={isError ? "trouble error" : "trouble caution"}>
      <Icon name={isError ? "error" : "warning"} size={14} />
      <span className="visually-hidden">{isError ? "has errors" : "has warnings"}</span>
    </span>
  );
}

function FrequencyNow({ id }: { readonly id: StatementId }) {
  const step = useDeferredValue(useCursor());
  const value = useDocument((document) => document.frequencies[id]?.[step] ?? 0);
  const figure = frequency(value);
  return (
    <span className="quiet small frequency-now" title={`${figure.exact} at step ${step + 1}`}>
      {figure.text}
    </span>
  );
}

function AddStatement({ onSelect }: Pick<StatementListProps, "onSelect">) {
  const { documents } = useStudio();
  const edit = useEdit();
  const add = (): void => {
    const { document } = documents.getState();
    const id = freshId(document.statements, "statement");
    const [entityId = "", entity] = Object.entries(document.entities)[0] ?? [];
    const name = entity?.name ?? entityId;
    const attribute = entity?.attributes[0]?.name ?? "id";
    const text = `SELECT ${name}.* FROM ${name} WHERE ${name}.${attribute} = ?`;
    edit("Add a statement", (before) => addStatement(before, id, { text }));
    onSelect(id);
  };
  return (
    <button type="button" className="button small" onClick={add}>
      <Icon name="plus" size={12} />
      Add statement
    </button>
  );
}
