/** A layout as the routing table that a router reads: `routing.json` beside `router.ts`. */
import { cqlTypeText } from "./cql-type.ts";
import type { Layout } from "./layout.ts";
import type { RecordTable } from "./records.ts";
import { ringTokens } from "./ring.ts";
import type { RoutingPlacement, RoutingTable } from "./router.ts";
import { valueText } from "./value-text.ts";

export function routingTable(
  table: string,
  layout: Layout,
  records: RecordTable,
  replicas: number,
): RoutingTable {
  return {
    format: "tidetable-routing",
    version: 1,
    table,
    key: layout.key.map((name) => {
      const column = records.columns.find((each) => each.name === name);
      if (!column) throw new Error(`there is no column ${name} among the records`);
      return { column: name, type: cqlTypeText(column.values.type) };
    }),
    nodes: layout.nodes,
    replicas: Math.min(replicas, layout.nodes.length),
    placement: placementOf(layout),
  };
}

function placementOf(layout: Layout): RoutingPlacement {
  switch (layout.kind) {
    case "round robin":
    case "jump hash":
      return { by: layout.kind };
    case "hash mod":
      return { by: "hash mod", hash: layout.hash };
    case "ring":
      return {
        by: "ring",
        hash: layout.ring.partitioner,
        tokens: ringTokens(layout.ring).map(({ token, node }) => [String(token), node] as const),
      };
    case "slots":
      return { by: "slots", slots: stretches(layout.owners) };
    case "range":
      return {
        by: "range",
        ranges: layout.owners.map((node, range) => {
          const border = layout.borders[range];
          if (!border) return { node };
          return { below: hex(border.bytes), text: valueText(layout.type, border.bytes), node };
        }),
      };
    case "list":
      return {
        by: "list",
        values: layout.lists.map(({ bytes, node }) => ({
          value: hex(bytes),
          text: valueText(layout.type, bytes),
          node,
        })),
        otherwise: layout.otherwise,
      };
  }
}

/** First slot, last slot and node of each stretch. */
function stretches(owners: Uint16Array): (readonly [number, number, number])[] {
  const found: [number, number, number][] = [];
  for (const [slot, node] of owners.entries()) {
    const last = found.at(-1);
    if (last?.[2] === node) last[1] = slot;
    else found.push([slot, slot, node]);
  }
  return found;
}

function hex(bytes: Uint8Array): string {
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
