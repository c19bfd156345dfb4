/** Where does a key live? Its token, its node and its replicas under every strategy, by the router's own table. */
import { useId, useMemo, useState } from "react";
import { type RoutingTable, routerOf, serialise, tokenOf } from "#sharding/router.ts";
import { tokenSpaces } from "#sharding/token.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { DataTable } from "../design/data-table.tsx";

export interface ProbePlacement {
  readonly name: string;
  readonly key: string;
  /** Owner first; empty where a key does not name its node. */
  readonly nodes: readonly string[];
  readonly token?: string;
  /** Of a ring: where the token stands, in turns. */
  readonly turn?: number;
  readonly problem?: string;
}

export interface Probe {
  readonly placements: readonly ProbePlacement[];
}

export interface KeyProbeProps {
  readonly answer: LabAnswer;
  readonly onProbe: (probe: Probe) => void;
}

export function KeyProbe({ answer, onProbe }: KeyProbeProps) {
  const columns = useMemo(
    () => [
      ...new Set(answer.routing.flatMap((each) => each?.key.map(({ column }) => column) ?? [])),
    ],
    [answer],
  );
  const [sample, setSample] = useState(0);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const values = { ...answer.samples[sample % Math.max(1, answer.samples.length)], ...typed };
  const [placements, setPlacements] = useState<readonly ProbePlacement[]>();
  const id = useId();
  const find = (wanted: Readonly<Record<string, string>>): void => {
    const found = answer.routing.flatMap((table, index) =>
      table ? [placementOf(table, answer.outcomes[index]?.name ?? "", wanted)] : [],
    );
    setPlacements(found);
    onProbe({ placements: found });
  };
  return (
    <section className="key-probe" aria-labelledby={`${id}-head`}>
      <h2 id={`${id}-head`}>Where does this key live?</h2>
      <form
        className="probe-form"
        onSubmit={(event) => {
          event.preventDefault();
          find(values);
        }}
      >
        {columns.map((column) => (
          <div key={column} className="field">
            <label htmlFor={`${id}-${column}`}>{column}</label>
            <input
              id={`${id}-${column}`}
              className="input mono"
              spellCheck={false}
              autoComplete="off"
              value={values[column] ?? ""}
              onChange={(event) => setTyped({ ...typed, [column]: event.target.value })}
            />
          </div>
        ))}
        <div className="probe-actions">
          <button type="submit" className="button">
            Find it
          </button>
          <button
            type="button"
            className="button plain"
            onClick={() => {
              const next = sample + 1;
              setSample(next);
              setTyped({});
              find(answer.samples[next % Math.max(1, answer.samples.length)] ?? {});
            }}
          >
            Another record
          </button>
        </div>
      </form>
      {placements && (
        <DataTable
          caption="Nodes of this key under every strategy"
          rows={placements}
          rowKey={({ name }) => name}
          columns={[
            { head: "Strategy", text: true, cell: ({ name }) => name },
            {
              head: "Lives on",
              text: true,
              cell: ({ nodes, problem }) => problem ?? nodes[0] ?? "any node: ask all",
            },
            ...(answer.cluster.replicas > 1
              ? [
                  {
                    head: "Copies on",
                    text: true,
                    cell: ({ nodes }: ProbePlacement) => nodes.slice(1).join(", ") || "–",
                  },
                ]
              : []),
            {
              head: "Token",
              text: true,
              cell: ({ token }) => <span className="mono">{token ?? "–"}</span>,
            },
          ]}
        />
      )}
    </section>
  );
}

function placementOf(
  table: RoutingTable,
  name: string,
  values: Readonly<Record<string, string>>,
): ProbePlacement {
  const key = table.key.map(({ column }) => values[column] ?? "");
  const text = key.join(" · ");
  const { placement } = table;
  if (placement.by === "round robin") return { name, key: "", nodes: [] };
  try {
    const nodes = routerOf(table).route(key);
    if (placement.by !== "ring" && placement.by !== "hash mod") return { name, key: text, nodes };
    const token = tokenOf(placement.hash, keyBytes(table, key));
    const { least, length } = tokenSpaces[placement.hash];
    const turn = Number(token - least) / Number(length);
    return {
      name,
      key: text,
      nodes,
      token: String(token),
      ...(placement.by === "ring" && { turn }),
    };
  } catch (fault) {
    return {
      name,
      key: text,
      nodes: [],
      problem: fault instanceof Error ? fault.message : String(fault),
    };
  }
}

function keyBytes(table: RoutingTable, key: readonly string[]): Uint8Array {
  const parts = key.map((value, index) => serialise(table.key[index]?.type ?? "", value));
  if (parts.length === 1) return parts[0] as Uint8Array;
  return Uint8Array.from(
    parts.flatMap((part) => [part.length >> 8, part.length & 255, ...part, 0]),
  );
}
