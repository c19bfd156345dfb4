/** How one table is filled: its sources, what is read and written, and what that costs. */
import type { Ref } from "react";
import type { ColumnFamily } from "#model/column-family.ts";
import { costKinds } from "../design/cost-kinds.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { KindSwatch } from "../design/fill-patterns.tsx";
import { bytes, count, duration } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { Icon } from "../design/icon.tsx";
import { stepName } from "../design/steps.ts";
import type { AnswerIndex } from "./answer-index.ts";
import type { MigrationDetail } from "./timeline-rows.ts";

export interface MigrationPanelProps {
  readonly detail: MigrationDetail;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly ref?: Ref<HTMLElement>;
}

export function MigrationPanel(props: MigrationPanelProps) {
  const { detail, index, labels, onClose, ref } = props;
  const { family, mark, plan, sources, total } = detail;
  const tag = index.tags.get(family.key) ?? "";
  const isInitial = mark.from < 0;
  return (
    <aside ref={ref} className="side-panel" aria-label={`Migration plan of ${tag}`}>
      <header className="side-panel-head">
        <h2>Filling {tag}</h2>
        <button
          type="button"
          className="button plain icon-only"
          aria-label="Close the migration plan"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <p>
        {isInitial
          ? `Loaded from outside before ${stepName(mark.to, labels)}.`
          : `Built during ${stepName(mark.from, labels)}, ready at ${stepName(mark.to, labels)}.`}
      </p>
      <ol className="migration-tree" aria-label="From sources to the new table">
        {sources.map((source) => (
          <MigrationTable
            key={source.key}
            family={source}
            tag={index.tags.get(source.key) ?? ""}
            end="source"
          />
        ))}
        {plan && sources.length > 0 && (
          <li className="migration-rule">
            {sources.length === 1
              ? "read in full, once"
              : "each read in full, once, and joined on common columns"}
          </li>
        )}
        <MigrationTable family={family} tag={tag} end="target" />
      </ol>
      <table className="legend-table">
        <caption className="visually-hidden">Cost of this build</caption>
        <tbody>
          {costKinds
            .filter(({ kind }) => kind === "extract" || kind === "load" || kind === "maintenance")
            .map(({ kind, word, meaning }) => {
              const cost = duration(mark.build[kind as "extract" | "load" | "maintenance"]);
              return (
                <tr key={kind} title={meaning}>
                  <td>
                    <KindSwatch id={`build-${kind}`} kind={kind} /> {word}
                  </td>
                  <td title={cost.exact}>{cost.text}</td>
                </tr>
              );
            })}
          <tr className="total">
            <td>This build</td>
            <td title={duration(total).exact}>{duration(total).text}</td>
          </tr>
        </tbody>
      </table>
      {sources.length > 0 && <Volumes detail={detail} />}
    </aside>
  );
}

function Volumes({ detail }: { readonly detail: MigrationDetail }) {
  const { read, written } = detail;
  return (
    <p className="quiet small">
      Reads <span title={count(read.rows, "rows").exact}>{count(read.rows, "rows").text}</span> (
      {bytes(read.bytes).text}), writes{" "}
      <span title={count(written.rows, "rows").exact}>{count(written.rows, "rows").text}</span> (
      {bytes(written.bytes).text}).
    </p>
  );
}

function MigrationTable(props: {
  readonly family: ColumnFamily;
  readonly tag: string;
  readonly end: "source" | "target";
}) {
  const { family, tag, end } = props;
  const highlighted = useHighlighted(family.key);
  const rows = count(family.size.rows, "rows");
  return (
    <li
      className={`migration-table ${end}${highlighted ? " highlighted" : ""}`}
      {...highlightHandlers(family.key)}
    >
      <span>
        <span className="tag">{tag}</span>{" "}
        <span className="quiet small">{end === "source" ? "source" : "new table"}</span>
      </span>
      <FamilyLine family={family} />
      <span className="quiet small" title={`${rows.exact}, ${bytes(family.size.bytes).exact}`}>
        {rows.text} · {bytes(family.size.bytes).text}
      </span>
    </li>
  );
}
