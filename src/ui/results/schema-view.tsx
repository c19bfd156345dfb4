/** The schema at the time cursor, as cards: keys, size, partitions, and who uses each table. */
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { ColumnFamilyKey } from "#model/column-family.ts";
import type { AnswerBalance, PartitionExclusions, Recommendation } from "#model/recommendation.ts";
import { FamilyLine } from "../design/family-line.tsx";
import { bytes, count, duration, exactNumber, perCent, plural } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { Icon } from "../design/icon.tsx";
import { KindMark } from "../design/kind-mark.tsx";
import { useSidePanel } from "../design/side-panel.ts";
import { Split } from "../design/split.tsx";
import { stepName } from "../design/steps.ts";
import { type Answer, useCursor, useStudio } from "../studio-state.ts";
import type { AnswerIndex } from "./answer-index.ts";
import { PlanGlyph } from "./plan-glyph.tsx";
import {
  type Filling,
  type LaterUse,
  type SchemaCard,
  schemaCards,
  schemaChange,
  shareOfRequests,
  type WriteUse,
} from "./schema-rows.ts";
import { WhyFamilyPanel } from "./why-family-panel.tsx";
import "./schema-view.css";

export interface SchemaViewProps {
  readonly answer: Answer;
  /** How the tables spread over the cluster, where that is known. */
  readonly balance: AnswerBalance | undefined;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

export function SchemaView({ answer, balance, index, labels }: SchemaViewProps) {
  const { recommendation } = answer;
  const [asked, setAsked] = useState<ColumnFamilyKey>();
  const family = index.families.get(asked ?? "");
  const close = useCallback(() => setAsked(undefined), []);
  const { panel, remember } = useSidePanel(family !== undefined, close);
  const ask = useCallback(
    (key: ColumnFamilyKey): void => {
      remember();
      setAsked(key);
    },
    [remember],
  );
  return (
    <Split
      name="why-panel"
      label="Width of the explanation"
      direction="across"
      sized="second"
      initial={420}
      least={300}
      most={640}
      first={
        <Schema
          recommendation={recommendation}
          balance={balance}
          index={index}
          labels={labels}
          onAsk={ask}
          asked={asked}
        />
      }
      second={
        family && (
          <WhyFamilyPanel
            key={family.key}
            ref={panel}
            answer={answer}
            family={family}
            index={index}
            labels={labels}
            onClose={close}
          />
        )
      }
    />
  );
}

interface SchemaProps extends Asks {
  readonly recommendation: Recommendation;
  readonly balance: AnswerBalance | undefined;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

interface Asks {
  /** The table whose explanation is open. */
  readonly asked: ColumnFamilyKey | undefined;
  readonly onAsk: (family: ColumnFamilyKey) => void;
}

function Schema({ recommendation, balance, index, labels, asked, onAsk }: SchemaProps) {
  const step = Math.min(useCursor(), recommendation.steps.length - 1);
  const cards = useMemo(
    () => schemaCards(recommendation, index, step, balance),
    [recommendation, index, step, balance],
  );
  const change = schemaChange(recommendation, step);
  const storage = recommendation.steps[step]?.storageBytes ?? 0;
  const limit = recommendation.storageLimit;
  return (
    <section className="schema-view" aria-labelledby="schema-head">
      <header>
        <h2 id="schema-head">Schema at {stepName(step, labels)}</h2>
        <p className="quiet">
          {plural(cards.length, "table")},{" "}
          <span title={bytes(storage).exact}>{bytes(storage).text}</span>
          {limit !== undefined && ` (${perCent(storage / limit)} of the limit)`}
          {change.added + change.removed > 0 &&
            ` · ${change.added} new and ${change.removed} gone since the step before`}
        </p>
      </header>
      <ul className="schema-cards">
        {cards.map((card) => (
          <Card
            key={card.family.key}
            card={card}
            labels={labels}
            step={step}
            nodes={balance?.cluster.nodes ?? 0}
            asked={asked}
            onAsk={onAsk}
          />
        ))}
      </ul>
      {recommendation.exclusions && <Exclusions exclusions={recommendation.exclusions} />}
    </section>
  );
}

/** Candidates that the limits on partitions took away, each with its reason. */
function Exclusions({ exclusions }: { readonly exclusions: PartitionExclusions }) {
  const { excluded, count: all, without } = exclusions;
  return (
    <details className="exclusions">
      <summary>
        {plural(all, "candidate table")} excluded by the limits on partitions
        {without && `; without them the answer would cost ${duration(without.objective).text}`}
      </summary>
      <ul>
        {excluded.map(({ columnFamily, reason }) => (
          <li key={columnFamily}>
            <span className="mono small">{columnFamily}</span>
            <span className="quiet small">{reason}</span>
          </li>
        ))}
        {all > excluded.length && <li className="quiet">and {all - excluded.length} more</li>}
      </ul>
    </details>
  );
}

interface CardProps {
  readonly card: SchemaCard;
  /** Of the cluster; 0 where its balance is not known. */
  readonly nodes: number;
  readonly step: number;
  readonly labels: readonly string[] | undefined;
}

function Card(props: CardProps & Asks) {
  const { card, asked, onAsk } = props;
  const { family, tag } = card;
  const highlighted = useHighlighted(family.key);
  const { size } = family;
  const classes = [
    "schema-card",
    highlighted && "highlighted",
    asked === family.key && "asked-about",
  ];
  const rows = count(size.rows, "");
  const partitions = count(size.partitions, "");
  return (
    <li className={classes.filter(Boolean).join(" ")} {...highlightHandlers(family.key)}>
      <div className="card-tags">
        <span className="tag">{tag}</span>
        {card.isNew && <span className="tag new">new at this step</span>}
        {card.isLeaving && <span className="tag">dropped after this step</span>}
        <span className="spacer" />
        <button
          type="button"
          className="link-button small"
          aria-label={`Why is ${tag} here?`}
          aria-expanded={asked === family.key}
          onClick={() => onAsk(family.key)}
        >
          Why is it here?
        </button>
      </div>
      <FamilyLine family={family} />
      <dl className="card-figures">
        <div>
          <dt>Size</dt>
          <dd title={bytes(size.bytes).exact}>{bytes(size.bytes).text}</dd>
        </div>
        <div>
          <dt>Rows</dt>
          <dd title={rows.exact}>{rows.text}</dd>
        </div>
        <div>
          <dt>Partitions</dt>
          <dd title={partitions.exact}>{partitions.text}</dd>
        </div>
        <div>
          <dt>One partition</dt>
          <dd
            title={`${exactNumber(size.rowsPerPartition)} rows, ${bytes(size.bytesPerPartition).exact}`}
          >
            {count(size.rowsPerPartition, "rows").text}, {bytes(size.bytesPerPartition).text}
          </dd>
        </div>
      </dl>
      <Spread {...props} />
      {card.cautions.map((caution) => (
        <p key={caution} className="card-caution small">
          <Icon name="warning" size={14} /> {caution}
        </p>
      ))}
      <UsedBy {...props} />
    </li>
  );
}

/** How the table spreads over the nodes of the cluster, at this step. */
function Spread({ card, nodes, step }: CardProps) {
  const { balance } = card;
  const at = balance?.steps[step];
  if (!balance || !at) return null;
  const largest = count(balance.largestRows, "rows");
  return (
    <dl className="card-figures card-spread" aria-label="Spread over the cluster">
      <div>
        <dt>On {plural(nodes, "node")}</dt>
        <dd title="Standard deviation of the rows per node over their mean">
          rows ±{perCent(balance.rowVariation)}
        </dd>
      </div>
      <div>
        <dt>Largest partition</dt>
        <dd title={`${largest.exact}, ${bytes(balance.largestBytes).exact}`}>
          {largest.text}, {bytes(balance.largestBytes).text}
        </dd>
      </div>
      <div>
        <dt>Hottest partition</dt>
        <dd title={`Its node carries ${exactNumber(at.hottestNode)} times the mean load`}>
          {at.requestsPerSecond === 0 ? "no requests" : shareOfRequests(at.hottestShare)}
        </dd>
      </div>
    </dl>
  );
}

function UsedBy({ card, step, labels }: Omit<CardProps, "nodes">) {
  const { usedBy, supportFor, writtenBy, sourceFor, filling, laterUse } = card;
  const isRead = usedBy.length + supportFor.length > 0;
  return (
    <div className="used-by small">
      {usedBy.length > 0 && (
        <UseList words="Read by">
          {usedBy.map((use) => (
            <UseButton key={use.statement} use={use} title={`${use.kind}: see the plan`}>
              <PlanGlyph kind={use.kind} />
            </UseButton>
          ))}
        </UseList>
      )}
      {supportFor.length > 0 && (
        <UseList words="Read by support queries of">
          {supportFor.map((use) => (
            <UseButton
              key={use.statement}
              use={use}
              title={`before it writes to ${use.tables.join(", ")}: see the support query`}
            >
              <KindMark kind="update" />
            </UseButton>
          ))}
        </UseList>
      )}
      {writtenBy.length > 0 && (
        <UseList words="Written by">
          {writtenBy.map((use) => (
            <UseButton
              key={use.statement}
              use={use}
              title={`${writeWords(use)} per execution: see the update`}
            >
              <KindMark kind="update" />
            </UseButton>
          ))}
        </UseList>
      )}
      {filling && <p className="quiet">{fillingWords(filling, labels)}</p>}
      {sourceFor.length > 0 && isRead && (
        <p className="quiet">Source for building {sourceFor.join(", ")} during this step.</p>
      )}
      {!isRead && <p className="quiet">{keptWords(laterUse, step, labels)}</p>}
    </div>
  );
}

function UseList(props: { readonly words: string; readonly children: ReactNode }) {
  return (
    <div className="use-list">
      <span className="quiet">{props.words}</span>
      <ul>{props.children}</ul>
    </div>
  );
}

function UseButton(props: {
  readonly use: { readonly statement: string; readonly label: string };
  readonly title: string;
  readonly children: ReactNode;
}) {
  const { use, title, children } = props;
  const { session } = useStudio();
  return (
    <li>
      <button
        type="button"
        className="use-button"
        title={title}
        onClick={() => session.setState({ resultView: "plans", query: use.statement })}
      >
        {children} {use.label}
      </button>
    </li>
  );
}

/** `1 row put and 1 row deleted`. */
function writeWords({ puts, deletes }: WriteUse): string {
  return [
    ...(puts > 0 ? [`${count(puts, "rows").text} put`] : []),
    ...(deletes > 0 ? [`${count(deletes, "rows").text} deleted`] : []),
  ].join(" and ");
}

function fillingWords(filling: Filling, labels: readonly string[] | undefined): string {
  const { during, sources, build } = filling;
  const { extract, load, maintenance } = build;
  const from = sources.length > 0 ? ` from ${sources.join(", ")}` : " from outside";
  const when = during < 0 ? "before the first step" : `during ${stepName(during, labels)}`;
  const kept =
    maintenance > 0
      ? `, of which ${duration(maintenance).text} for updates that arrived meanwhile`
      : "";
  return `Filled${from} ${when}: ${duration(extract + load + maintenance).text}${kept}.`;
}

/** Why a table is there that nothing reads at this step. */
function keptWords(
  laterUse: LaterUse | undefined,
  step: number,
  labels: readonly string[] | undefined,
): string {
  if (!laterUse) return "Nothing reads it at this step or after.";
  const { builds } = laterUse;
  const when = laterUse.step === step ? "this step" : stepName(laterUse.step, labels);
  return builds.length > 0
    ? `Nothing reads it at this step: it is kept to build ${builds.join(", ")} during ${when}.`
    : `Nothing reads it at this step: it is kept for ${when}.`;
}
