/** The lab's settings: which table, which cluster, which strategies, how values and requests are spread. */
import { changeSharding } from "#document/sharding-commands.ts";
import { anError, type Issue } from "#model/issue.ts";
import { type Cluster, defaultCluster, mostNodes } from "#model/sharding-setup.ts";
import { type LabDesign, labTableNames } from "#sharding/lab-tables.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { bytes, exactNumber, readBytes } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useEdit } from "../studio-state.ts";
import type { LabChoice } from "./lab-choice.ts";
import { OwnRecordsForm } from "./own-records-form.tsx";
import { StrategySettings } from "./strategy-settings.tsx";
import { ValueSettings } from "./value-settings.tsx";

export interface LabSettingsProps {
  readonly design: LabDesign | undefined;
  readonly choice: LabChoice;
  readonly onChange: (change: (choice: LabChoice) => LabChoice) => void;
  readonly answer: LabAnswer | undefined;
}

export function LabSettings(props: LabSettingsProps) {
  const { answer, onChange, choice } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="lab-settings" aria-label="Settings of the lab" tabIndex={0}>
      <TableSettings {...props} />
      <ClusterSettings />
      {answer && (
        <StrategySettings
          answer={answer}
          onEdited={() => onChange(({ story: _, ...rest }) => rest)}
        />
      )}
      {answer && !choice.usesOwn && <ValueSettings answer={answer} design={props.design} />}
      <SizeSettings {...props} />
    </section>
  );
}

const ownValue = "own records";

function TableSettings({ design, choice, onChange }: LabSettingsProps) {
  const edit = useEdit();
  const setUp = useDocument((document) => document.sharding);
  const names = design ? labTableNames(design) : { entities: [], families: [] };
  const told = choice.story === undefined ? undefined : setUp?.story?.[choice.story];
  const entity = names.entities.find((name) => design?.ids[name] === (told?.table ?? setUp?.table));
  const isFamily = choice.family !== undefined && names.families.includes(choice.family) && !told;
  const shown = choice.usesOwn
    ? ownValue
    : isFamily
      ? choice.family
      : (entity ?? names.entities[0]);
  const choose = (value: string): void => {
    if (value === ownValue) {
      onChange((before) => ({ ...before, usesOwn: true }));
      return;
    }
    const isEntity = names.entities.includes(value);
    onChange(({ story: _story, family: _family, ...rest }) => ({
      ...rest,
      usesOwn: false,
      ...(!isEntity && { family: value }),
    }));
    const id = design?.ids[value];
    if (isEntity && id !== setUp?.table)
      edit(`Spread ${value}`, (document) =>
        changeSharding(document, { table: id, strategies: undefined }),
      );
  };
  return (
    <section className="settings-group">
      <h2>Records</h2>
      <div className="field">
        <label htmlFor="lab-table">Table</label>
        <select
          id="lab-table"
          className="select"
          value={shown ?? ""}
          onChange={(event) => choose(event.target.value)}
        >
          {names.entities.length > 0 && (
            <optgroup label="Entities, with the statements as requests">
              {names.entities.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          )}
          {names.families.length > 0 && (
            <optgroup label="Tables of the answer, with its plans as requests">
              {names.families.map((key, index) => (
                <option key={key} value={key}>
                  {`${index + 1}: ${key}`}
                </option>
              ))}
            </optgroup>
          )}
          {choice.own && <option value={ownValue}>{choice.own.name}</option>}
        </select>
      </div>
      {names.families.length === 0 && design && (
        <p className="field-hint">Optimise first to spread the tables of the answer.</p>
      )}
      <OwnRecordsForm choice={choice} onChange={onChange} />
    </section>
  );
}

function ClusterSettings() {
  const edit = useEdit();
  const cluster = useDocument((document) => document.sharding?.cluster) ?? defaultCluster;
  const set = (label: string, change: Partial<Cluster>): void => {
    edit(label, (document) => changeSharding(document, { cluster: { ...cluster, ...change } }));
  };
  const whole =
    (least: number, most: number, apply: (value: number) => void) =>
    (value: number | undefined): readonly Issue[] => {
      if (value === undefined || !Number.isInteger(value) || value < least || value > most)
        return [anError("", `Write a whole number from ${least} to ${most}.`)];
      apply(value);
      return [];
    };
  const setNodes = (nodes: number): void =>
    set(nodes > cluster.nodes ? "Add a node" : "Remove a node", { nodes });
  return (
    <section className="settings-group">
      <h2>Cluster</h2>
      <div className="node-count">
        <NumberField
          label="Nodes"
          value={cluster.nodes}
          width={64}
          onCommit={whole(1, mostNodes, (nodes) => set("Set the nodes", { nodes }))}
        />
        <button
          type="button"
          className="button small"
          disabled={cluster.nodes >= mostNodes}
          aria-label="Add a node"
          onClick={() => setNodes(cluster.nodes + 1)}
        >
          Add
        </button>
        <button
          type="button"
          className="button small"
          disabled={cluster.nodes <= 1}
          aria-label="Remove a node"
          onClick={() => setNodes(cluster.nodes - 1)}
        >
          Remove
        </button>
      </div>
      <div className="two-fields">
        <NumberField
          label="Copies of each record"
          value={cluster.replicas}
          width={64}
          onCommit={whole(1, 16, (replicas) => set("Set the copies", { replicas }))}
        />
        <NumberField
          label="Hot from"
          value={cluster.threshold}
          width={64}
          unit="× mean"
          onCommit={(value) => {
            if (value === undefined || value <= 1) return [anError("", "Write a number above 1.")];
            set("Set the hot-spot limit", { threshold: value });
            return [];
          }}
        />
      </div>
      <NumberField
        label="Room of a node"
        optional
        placeholder="not known"
        value={cluster.nodeBytes}
        show={(value) => bytes(value).text}
        read={readBytes}
        onCommit={(value) => {
          if (value !== undefined && value <= 0) return [anError("", "Write a size above 0.")];
          const { nodeBytes: _, ...rest } = cluster;
          const next = value === undefined ? rest : { ...rest, nodeBytes: value };
          return edit("Set the room of a node", (document) =>
            changeSharding(document, { cluster: next }),
          );
        }}
      />
      <div className="two-fields">
        <div className="field">
          <label htmlFor="lab-partitioner">Hash of new rings</label>
          <select
            id="lab-partitioner"
            className="select"
            value={cluster.partitioner}
            onChange={(event) =>
              set("Choose the partitioner", {
                partitioner: event.target.value === "random" ? "random" : "murmur3",
              })
            }
          >
            <option value="murmur3">Murmur3</option>
            <option value="random">MD5 (Random)</option>
          </select>
        </div>
        <NumberField
          label="Tokens per node"
          value={cluster.virtualNodes}
          width={64}
          onCommit={whole(1, 1024, (virtualNodes) => set("Set the tokens", { virtualNodes }))}
        />
      </div>
    </section>
  );
}

const recordSizes = [10_000, 100_000, 300_000, 1_000_000] as const;
const requestSizes = [50_000, 200_000, 1_000_000] as const;

function SizeSettings({ choice, onChange }: LabSettingsProps) {
  return (
    <section className="settings-group">
      <h2>Draws</h2>
      <div className="two-fields">
        {!choice.usesOwn && (
          <SizeField
            id="lab-records"
            label="Records, at most"
            value={choice.records}
            sizes={recordSizes}
            onChoose={(records) => onChange((before) => ({ ...before, records }))}
          />
        )}
        <SizeField
          id="lab-requests"
          label="Requests, about"
          value={choice.requests}
          sizes={requestSizes}
          onChoose={(requests) => onChange((before) => ({ ...before, requests }))}
        />
      </div>
      <button
        type="button"
        className="button small"
        onClick={() => onChange((before) => ({ ...before, seed: before.seed + 1 }))}
      >
        Draw anew
      </button>
    </section>
  );
}

function SizeField(props: {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly sizes: readonly number[];
  readonly onChoose: (size: number) => void;
}) {
  return (
    <div className="field">
      <label htmlFor={props.id}>{props.label}</label>
      <select
        id={props.id}
        className="select"
        value={props.value}
        onChange={(event) => props.onChoose(Number(event.target.value))}
      >
        {props.sizes.map((size) => (
          <option key={size} value={size}>
            {exactNumber(size)}
          </option>
        ))}
      </select>
    </div>
  );
}
