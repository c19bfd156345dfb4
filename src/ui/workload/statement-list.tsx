/** All statements by group, with how often each runs at the cursor and whether something is wrong with it. */
import { memo, useDeferredValue, useEffect, useRef } from "react";
import { addStatement, freshId } from "#document/commands.ts";
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
}

export const StatementList = memo(function StatementList({
  groups,
  selected,
  onSelect,
}: StatementListProps) {
  return (
    <section className="panel statement-list" aria-labelledby="statements-head">
      <header className="panel-head">
        <h2 id="statements-head">Statements</h2>
        <AddStatement onSelect={onSelect} />
      </header>
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name || "Without a group"}>
          {(group.name !== "" || groups.length > 1) && (
            <h3 className="group-name">{group.name || "Without a group"}</h3>
          )}
          <ul>
            {group.rows.map((row) => (
              <StatementItem
                key={row.id}
                row={row}
                isSelected={row.id === selected}
                onSelect={onSelect}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
});

const StatementItem = memo(function StatementItem(props: {
  readonly row: StatementRow;
  readonly isSelected: boolean;
  readonly onSelect: (statement: StatementId) => void;
}) {
  const { row, isSelected, onSelect } = props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isSelected) button.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <li>
      <button
        ref={button}
        type="button"
        className="statement-row"
        aria-current={isSelected}
        title={row.label}
        onClick={() => onSelect(row.id)}
      >
        <KindMark kind={row.kind} />
        <span className="statement-label">{row.label}</span>
        <Trouble row={row} />
        <FrequencyNow id={row.id} />
      </button>
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
