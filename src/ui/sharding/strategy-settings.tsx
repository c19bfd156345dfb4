/** The strategies that are compared: the key of each, what else it has to know, more of them, fewer of them. */
import { useId, useState } from "react";
import { changeSharding } from "#document/sharding-commands.ts";
import { type Strategy, strategyText } from "#model/sharding-setup.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { Icon } from "../design/icon.tsx";
import { useEdit } from "../studio-state.ts";

export interface StrategySettingsProps {
  readonly answer: LabAnswer;
  /** The strategies are the person's own from now on. */
  readonly onEdited: () => void;
}

export function StrategySettings({ answer, onEdited }: StrategySettingsProps) {
  const edit = useEdit();
  const { strategies, table } = answer;
  const columns = table.columns.map(({ name }) => name);
  const put = (label: string, next: readonly Strategy[]): void => {
    edit(label, (document) => changeSharding(document, { strategies: next }));
    onEdited();
  };
  return (
    <section className="settings-group">
      <h2>Strategies</h2>
      <ul className="strategy-list">
        {strategies.map((strategy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two strategies may be alike.
          <li key={`${index} ${strategy.kind}`} className="strategy">
            <StrategyFields
              strategy={strategy}
              columns={columns}
              nodes={answer.cluster.nodes}
              onChange={(next) =>
                put(`Change ${strategyText(strategy)}`, strategies.with(index, next))
              }
              onRemove={() =>
                put(`Remove ${strategyText(strategy)}`, strategies.toSpliced(index, 1))
              }
            />
          </li>
        ))}
      </ul>
      <AddStrategy
        onAdd={(kind) => {
          const made = newStrategy(kind, answer);
          put(`Add ${strategyText(made)}`, [...strategies, made]);
        }}
      />
    </section>
  );
}

const kinds = ["round robin", "range", "list", "hash mod", "ring", "jump hash", "slots"] as const;

const kindWords: Readonly<Record<Strategy["kind"], string>> = {
  "round robin": "Round robin",
  range: "Range",
  list: "List",
  "hash mod": "Hash mod N",
  ring: "Ring",
  "jump hash": "Jump hash",
  slots: "Slots (CRC16)",
};

function newStrategy(kind: Strategy["kind"], { table, cluster, strategies }: LabAnswer): Strategy {
  const hashed = strategies.find((each) => each.kind === "ring" || each.kind === "hash mod");
  const key = hashed?.key ?? table.key;
  const first = table.columns[0]?.name ?? "";
  switch (kind) {
    case "round robin":
      return { kind };
    case "range":
      return { kind, key: [key[0] ?? first], cut: { kind: "equal count" } };
    case "list":
      return { kind, key: [key[0] ?? first], lists: [], otherwise: 0 };
    case "hash mod":
      return { kind, key, hash: cluster.partitioner };
    case "ring": {
      const { partitioner: hash, virtualNodes } = cluster;
      return { kind, key, hash, tokens: "random", virtualNodes };
    }
    default:
      return { kind, key };
  }
}

interface StrategyFieldsProps {
  readonly strategy: Strategy;
  readonly columns: readonly string[];
  readonly nodes: number;
  readonly onChange: (strategy: Strategy) => void;
  readonly onRemove: () => void;
}

function StrategyFields(props: StrategyFieldsProps) {
  const { strategy, columns, onChange, onRemove } = props;
  const name = strategyText(strategy);
  return (
    <>
      <div className="strategy-head">
        <strong>{kindWords[strategy.kind]}</strong>
        <span className="spacer" />
        <button
          type="button"
          className="button small plain icon-only"
          aria-label={`Remove ${name}`}
          title={`Remove ${name}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      {strategy.kind !== "round robin" && (
        <KeyFields strategy={strategy} columns={columns} onChange={onChange} />
      )}
      {strategy.kind === "range" && <CutFields {...props} strategy={strategy} />}
      {strategy.kind === "list" && <ListFields {...props} strategy={strategy} />}
      {(strategy.kind === "ring" || strategy.kind === "hash mod") && (
        <HashFields strategy={strategy} onChange={onChange} />
      )}
    </>
  );
}

type Keyed = Exclude<Strategy, { kind: "round robin" }>;

/** One column for ranges and lists; up to three for hashes. */
function KeyFields(props: {
  readonly strategy: Keyed;
  readonly columns: readonly string[];
  readonly onChange: (strategy: Strategy) => void;
}) {
  const { strategy, columns, onChange } = props;
  const { key } = strategy;
  const isSingle = strategy.kind === "range" || strategy.kind === "list";
  const put = (next: readonly string[]): void => {
    if (isSingle) onChange({ ...strategy, key: [next[0] ?? ""] });
    else onChange({ ...strategy, key: next } as Strategy);
  };
  const places = isSingle || key.length >= 3 ? key.length : key.length + 1;
  return (
    <div className="key-fields">
      {Array.from({ length: places }, (_, place) => (
        <select
          // biome-ignore lint/suspicious/noArrayIndexKey: a place of the key is its index.
          key={place}
          className="select"
          aria-label={`${strategyText(strategy)}: column ${place + 1}`}
          value={key[place] ?? ""}
          onChange={(event) => {
            const { value } = event.target;
            put(
              value === ""
                ? key.toSpliced(place, 1)
                : place < key.length
                  ? key.with(place, value)
                  : [...key, value],
            );
          }}
        >
          {place > 0 && <option value="">{place < key.length ? "leave out" : "and …"}</option>}
          {columns
            .filter((name) => name === key[place] || !key.includes(name))
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </select>
      ))}
    </div>
  );
}

function CutFields(
  props: StrategyFieldsProps & { readonly strategy: Extract<Strategy, { kind: "range" }> },
) {
  const { strategy, nodes, onChange } = props;
  const { cut } = strategy;
  return (
    <>
      <select
        className="select"
        aria-label={`${strategyText(strategy)}: how it is cut`}
        value={cut.kind}
        onChange={(event) => {
          const kind = event.target.value as typeof cut.kind;
          onChange({ ...strategy, cut: kind === "by hand" ? { kind, borders: [] } : { kind } });
        }}
      >
        <option value="equal count">equal numbers of records</option>
        <option value="equal width">equal widths of values</option>
        <option value="by hand">borders by hand</option>
      </select>
      {cut.kind === "by hand" && (
        <TextList
          label={`${nodes - 1} borders in rising order, one per line`}
          values={cut.borders}
          onCommit={(borders) => onChange({ ...strategy, cut: { kind: "by hand", borders } })}
        />
      )}
    </>
  );
}

function ListFields(
  props: StrategyFieldsProps & { readonly strategy: Extract<Strategy, { kind: "list" }> },
) {
  const { strategy, nodes, onChange } = props;
  const { lists, otherwise } = strategy;
  const listed = lists.reduce((sum, each) => sum + each.length, 0);
  return (
    <details>
      <summary className="small">
        {listed} values in lists, the rest on node {otherwise + 1}
      </summary>
      {Array.from({ length: Math.min(nodes, 12) }, (_, node) => (
        <TextList
          // biome-ignore lint/suspicious/noArrayIndexKey: a node is its position.
          key={node}
          label={`Values on node ${node + 1}, one per line`}
          values={lists[node] ?? []}
          onCommit={(values) =>
            onChange({
              ...strategy,
              lists: Array.from({ length: nodes }, (_each, at) =>
                at === node ? values : (lists[at] ?? []),
              ),
            })
          }
        />
      ))}
      <label className="field">
        <span className="field-name">The rest on</span>
        <select
          className="select"
          value={otherwise}
          onChange={(event) => onChange({ ...strategy, otherwise: Number(event.target.value) })}
        >
          {Array.from({ length: nodes }, (_, node) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a node is its position.
            <option key={node} value={node}>
              node {node + 1}
            </option>
          ))}
        </select>
      </label>
    </details>
  );
}

function TextList(props: {
  readonly label: string;
  readonly values: readonly string[];
  readonly onCommit: (values: readonly string[]) => void;
}) {
  const { label, values, onCommit } = props;
  const [draft, setDraft] = useState<string>();
  const id = useId();
  const commit = (): void => {
    if (draft === undefined) return;
    onCommit(
      draft
        .split("\n")
        .map((each) => each.trim())
        .filter(Boolean),
    );
    setDraft(undefined);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input mono"
        rows={3}
        spellCheck={false}
        data-typing={draft !== undefined}
        value={draft ?? values.join("\n")}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
      />
    </div>
  );
}

function HashFields(props: {
  readonly strategy: Extract<Strategy, { kind: "ring" | "hash mod" }>;
  readonly onChange: (strategy: Strategy) => void;
}) {
  const { strategy, onChange } = props;
  return (
    <div className="key-fields">
      <select
        className="select"
        aria-label={`${strategyText(strategy)}: hash`}
        value={strategy.hash}
        onChange={(event) =>
          onChange({ ...strategy, hash: event.target.value === "random" ? "random" : "murmur3" })
        }
      >
        <option value="murmur3">Murmur3</option>
        <option value="random">MD5</option>
      </select>
      {strategy.kind === "ring" && (
        <select
          className="select"
          aria-label={`${strategyText(strategy)}: tokens`}
          value={strategy.tokens === "even" ? "even" : String(strategy.virtualNodes)}
          onChange={(event) => {
            const { value } = event.target;
            onChange(
              value === "even"
                ? { ...strategy, tokens: "even", virtualNodes: 1 }
                : { ...strategy, tokens: "random", virtualNodes: Number(value) },
            );
          }}
        >
          <option value="even">one even token each</option>
          {[...new Set([1, 4, 8, 16, 32, 64, 128, 256, 512, strategy.virtualNodes])]
            .toSorted((a, b) => a - b)
            .map((tokens) => (
              <option key={tokens} value={tokens}>
                {tokens === 1 ? "1 random token each" : `${tokens} random tokens each`}
              </option>
            ))}
        </select>
      )}
    </div>
  );
}

function AddStrategy({ onAdd }: { readonly onAdd: (kind: Strategy["kind"]) => void }) {
  const [kind, setKind] = useState<Strategy["kind"]>("ring");
  return (
    <div className="add-strategy">
      <select
        className="select"
        aria-label="Strategy to add"
        value={kind}
        onChange={(event) => setKind(event.target.value as Strategy["kind"])}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {kindWords[each]}
          </option>
        ))}
      </select>
      <button type="button" className="button small" onClick={() => onAdd(kind)}>
        <Icon name="plus" size={14} />
        Add
      </button>
    </div>
  );
}
