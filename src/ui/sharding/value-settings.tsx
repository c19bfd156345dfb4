/** How the values of columns are spread over the records, and which keys requests ask for. */
import { useId } from "react";
import { changeSharding } from "#document/sharding-commands.ts";
import { anError } from "#model/issue.ts";
import type { Distribution, KeyPick } from "#model/sharding-setup.ts";
import type { LabDesign } from "#sharding/lab-tables.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useEdit } from "../studio-state.ts";

export interface ValueSettingsProps {
  readonly answer: LabAnswer;
  readonly design: LabDesign | undefined;
}

export function ValueSettings({ answer, design }: ValueSettingsProps) {
  const edit = useEdit();
  const setUp = useDocument((document) => document.sharding);
  const { table } = answer;
  const id = design?.ids[table.id];
  const spread = (column: string, distribution: Distribution): void => {
    if (id === undefined) return;
    const own = { ...setUp?.columns?.[id], [column]: distribution };
    edit(`Spread ${column} otherwise`, (document) =>
      changeSharding(document, { columns: { ...setUp?.columns, [id]: own } }),
    );
  };
  const pick = (statement: string, name: string, choice: KeyPick): void => {
    edit(`Other keys for ${name}`, (document) =>
      changeSharding(document, { picks: { ...setUp?.picks, [statement]: choice } }),
    );
  };
  const reads = table.requests.filter(
    ({ kind, statement }) => kind !== "insert" && statement !== undefined,
  );
  return (
    <>
      {id !== undefined && (
        <details className="settings-group">
          <summary>
            <h2>How values are spread</h2>
          </summary>
          {table.columns.map(({ name, distribution }) => (
            <DistributionField
              key={name}
              name={name}
              value={distribution}
              onChange={(next) => spread(name, next)}
            />
          ))}
        </details>
      )}
      {reads.length > 0 && (
        <details className="settings-group">
          <summary>
            <h2>Which keys are asked for</h2>
          </summary>
          {reads.map((request) => (
            <PickField
              key={`${request.statement} ${request.binds.join()}`}
              name={request.name}
              value={request.pick}
              onChange={(next) => pick(request.statement ?? "", request.name, next)}
            />
          ))}
        </details>
      )}
    </>
  );
}

const distributionWords: Readonly<Record<Exclude<Distribution["kind"], "follows">, string>> = {
  unique: "one value per record",
  uniform: "any value, equally likely",
  even: "each value in turn",
  zipf: "Zipf: few are frequent",
  hot: "one value is hot",
  arrival: "rising with time",
};

function distributionOf(kind: string): Distribution {
  switch (kind) {
    case "zipf":
      return { kind, exponent: 1 };
    case "hot":
      return { kind, share: 0.5 };
    case "unique":
    case "even":
    case "arrival":
      return { kind };
    default:
      return { kind: "uniform" };
  }
}

function DistributionField(props: {
  readonly name: string;
  readonly value: Distribution;
  readonly onChange: (value: Distribution) => void;
}) {
  const { name, value, onChange } = props;
  const id = useId();
  return (
    <div className="spread-field">
      <div className="field">
        <label htmlFor={id} className="mono">
          {name}
        </label>
        <select
          id={id}
          className="select"
          value={value.kind}
          onChange={(event) => onChange(distributionOf(event.target.value))}
        >
          {Object.entries(distributionWords).map(([kind, word]) => (
            <option key={kind} value={kind}>
              {word}
            </option>
          ))}
          {value.kind === "follows" && <option value="follows">decided by {value.column}</option>}
        </select>
      </div>
      {value.kind === "zipf" && (
        <ExponentField
          name={name}
          value={value.exponent}
          onChange={(exponent) => onChange({ kind: "zipf", exponent })}
        />
      )}
      {value.kind === "hot" && (
        <ShareField
          name={name}
          value={value.share}
          onChange={(share) => onChange({ kind: "hot", share })}
        />
      )}
    </div>
  );
}

const pickWords: Readonly<Record<KeyPick["kind"], string>> = {
  uniform: "any key, equally likely",
  records: "any record: large keys more",
  zipf: "Zipf: few are popular",
  latest: "the latest records most",
  "hot key": "one hot key",
};

function pickOf(kind: string): KeyPick {
  switch (kind) {
    case "zipf":
    case "latest":
      return { kind, exponent: 1 };
    case "hot key":
      return { kind, share: 0.5 };
    case "records":
      return { kind };
    default:
      return { kind: "uniform" };
  }
}

function PickField(props: {
  readonly name: string;
  readonly value: KeyPick;
  readonly onChange: (value: KeyPick) => void;
}) {
  const { name, value, onChange } = props;
  const id = useId();
  return (
    <div className="spread-field">
      <div className="field">
        <label htmlFor={id}>{name}</label>
        <select
          id={id}
          className="select"
          value={value.kind}
          onChange={(event) => onChange(pickOf(event.target.value))}
        >
          {Object.entries(pickWords).map(([kind, word]) => (
            <option key={kind} value={kind}>
              {word}
            </option>
          ))}
        </select>
      </div>
      {(value.kind === "zipf" || value.kind === "latest") && (
        <ExponentField
          name={name}
          value={value.exponent}
          onChange={(exponent) => onChange({ kind: value.kind, exponent })}
        />
      )}
      {value.kind === "hot key" && (
        <ShareField
          name={name}
          value={value.share}
          onChange={(share) => onChange({ kind: "hot key", share })}
        />
      )}
    </div>
  );
}

interface SmallFieldProps {
  readonly name: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function ExponentField({ name, value, onChange }: SmallFieldProps) {
  return (
    <NumberField
      label={`Exponent of ${name}`}
      hideLabel
      value={value}
      width={56}
      onCommit={(next) => {
        if (next === undefined || next <= 0 || next > 10)
          return [anError("", "Write a number above 0, at most 10.")];
        onChange(next);
        return [];
      }}
    />
  );
}

function ShareField({ name, value, onChange }: SmallFieldProps) {
  return (
    <NumberField
      label={`Share of the hot value of ${name}`}
      hideLabel
      value={value * 100}
      width={56}
      unit="%"
      onCommit={(next) => {
        if (next === undefined || next < 0 || next > 100)
          return [anError("", "Write per cent between 0 and 100.")];
        onChange(next / 100);
        return [];
      }}
    />
  );
}
