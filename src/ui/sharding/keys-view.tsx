/** The key adviser: every candidate key with its verdict, the reason, figures, a bucket; and when not to shard. */
import { useMemo } from "react";
import type { BucketProposal, KeyAdvice } from "#sharding/key-adviser.ts";
import type { LabAnswer, LabWork } from "#worker/lab-client.ts";
import { bytes, count, perCent, threeDigits } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { IssueList } from "../design/issue-list.tsx";
import { KeyQuestions } from "./key-questions.tsx";
import { useAdvice } from "./use-lab.ts";
import { VerdictMark } from "./verdict-mark.tsx";

export interface KeysViewProps {
  readonly answer: LabAnswer;
  readonly work: LabWork;
  readonly onUse: (key: readonly string[]) => void;
  /** The work for another entity, for a table of keys that spans several. */
  readonly workOn: (entityId: string) => LabWork | undefined;
}

const order = { good: 0, doubtful: 1, bad: 2 } as const;

export function KeysView({ answer, work, onUse, workOn }: KeysViewProps) {
  const { advice, issues, progress } = useAdvice(work);
  const sorted = useMemo(
    () => (advice ?? []).toSorted((a, b) => order[a.verdict] - order[b.verdict]),
    [advice],
  );
  return (
    <div className="lab-view">
      <KeyQuestions workOn={workOn} />
      <header className="lab-view-head">
        <h2>Which key for {answer.table.id}?</h2>
        {progress !== undefined && (
          <span className="quiet small" role="status">
            Trying keys, {perCent(progress)}
          </span>
        )}
      </header>
      <IssueList issues={issues} />
      <ul className="advice-list">
        {sorted.map((each) => (
          <Advice key={each.key.join("\0")} advice={each} onUse={onUse} />
        ))}
      </ul>
      <Order answer={answer} />
      <Objections answer={answer} />
    </div>
  );
}

function Advice(props: {
  readonly advice: KeyAdvice;
  readonly onUse: (key: readonly string[]) => void;
}) {
  const { advice, onUse } = props;
  const { key, verdict, reason, also, figures, bucket } = advice;
  const rows = count(figures.largestRows, "rows");
  return (
    <li className={`advice ${verdict}`}>
      <div className="advice-head">
        <VerdictMark verdict={verdict} />
        <h3 className="mono">{key.join(", ")}</h3>
        <span className="spacer" />
        <button
          type="button"
          className="button small"
          aria-label={`Shard by ${key.join(" and ")}`}
          onClick={() => onUse(key)}
        >
          Shard by it
        </button>
      </div>
      <p>{reason}</p>
      {also.length > 0 && (
        <ul className="also small quiet">
          {also.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      <dl className="lab-figures small">
        <Figure term="Distinct values" value={count(figures.distinct, "").text} />
        <Figure term="Largest share of rows" value={perCent(figures.largestRowShare)} />
        <Figure term="Hottest key" value={perCent(figures.hottestShare)} />
        <Figure term="Busiest node" value={`${threeDigits(figures.busiest)}× the mean`} />
        <Figure term="Read together" value={perCent(figures.coAccess)} />
        <Figure term="Asks many nodes" value={perCent(figures.multiShard)} />
        <Figure
          term="Largest partition"
          value={`${rows.text}, ${bytes(figures.largestBytes).text}`}
        />
        <Figure
          term="Growth in one place"
          value={figures.growth < 0.005 ? "no" : perCent(figures.growth)}
        />
      </dl>
      {bucket && <Bucket bucket={bucket} />}
    </li>
  );
}

function Figure({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Bucket({ bucket }: { readonly bucket: BucketProposal }) {
  return (
    <p className="bucket small">
      <strong>With a bucket: {bucket.text}.</strong> The largest partition then has{" "}
      {count(bucket.largestRows, "rows").text} and {bytes(bucket.largestBytes).text}, the hottest{" "}
      {perCent(bucket.hottestShare)} of the requests. The price: {bucket.price}
    </p>
  );
}

/** Which clustering key keeps rows sorted inside the partition. */
function Order({ answer }: { readonly answer: LabAnswer }) {
  const { columns, profit, sorted } = answer.clustering;
  if (columns.length === 0 && sorted.length === 0) return null;
  return (
    <section className="lab-note" aria-labelledby="order-head">
      <h2 id="order-head">Order inside the partition</h2>
      {columns.length > 0 ? (
        <p>
          Clustering key{" "}
          <span className="mono">
            {columns
              .map(({ name, direction }) => `${name} ${direction === "asc" ? "↑" : "↓"}`)
              .join(", ")}
          </span>{" "}
          keeps each partition’s rows in order for {profit.join(", ")}: one node, one partition, no
          sorting.
        </p>
      ) : (
        <p>No order can be kept for the key that most requests name.</p>
      )}
      {sorted.length > 0 && (
        <p className="quiet">Sorted after reading all the same: {sorted.join(", ")}.</p>
      )}
    </section>
  );
}

function Objections({ answer }: { readonly answer: LabAnswer }) {
  return (
    <section className="lab-note" aria-labelledby="objections-head">
      <h2 id="objections-head">When not to shard this way</h2>
      {answer.objections.length === 0 ? (
        <p>
          <Icon name="done" size={14} /> Nothing here speaks against it: no joins, no updates of
          many records, no scans of the key in order, and more data than one node keeps at ease.
        </p>
      ) : (
        <ul className="objections">
          {answer.objections.map(({ kind, text, statements }) => (
            <li key={kind}>
              <Icon name="warning" size={14} />
              <span>
                {text}
                {statements.length > 0 && <span className="quiet"> ({statements.join(", ")})</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
