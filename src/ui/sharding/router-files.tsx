/** For stores without native sharding: the routing table of one strategy, and the file that reads it. */
import { useId, useState } from "react";
import type { LabAnswer } from "#worker/lab-client.ts";
import { Icon } from "../design/icon.tsx";
import { download } from "../download.ts";
import { saveBlob } from "./image-export.ts";

export function RouterFiles({ answer }: { readonly answer: LabAnswer }) {
  const [chosen, setChosen] = useState<string>();
  const id = useId();
  const tables = answer.routing.flatMap((table, index) =>
    table ? [{ name: answer.outcomes[index]?.name ?? "", table }] : [],
  );
  const own =
    tables.find(({ name }) => name === chosen) ??
    tables.find(({ table }) => table.placement.by === "ring") ??
    tables[0];
  if (!own) return null;
  const saveSource = async (): Promise<void> => {
    const { default: source } = await import("#sharding/router.ts?raw");
    saveBlob("router.ts", new Blob([source], { type: "text/plain" }));
  };
  return (
    <div className="router-files">
      <h3>A router for stores that do not shard by themselves</h3>
      <p className="quiet small">
        The routing table, and one TypeScript file without dependencies that sends a key to its node
        by it: to stand in the data-access layer.
      </p>
      <div className="probe-actions">
        <label htmlFor={id} className="visually-hidden">
          Strategy of the router
        </label>
        <select
          id={id}
          className="select"
          value={own.name}
          onChange={(event) => setChosen(event.target.value)}
        >
          {tables.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button
          type="button"
          className="button small"
          onClick={() => download("routing.json", `${JSON.stringify(own.table, null, 2)}\n`)}
        >
          <Icon name="download" size={14} />
          routing.json
        </button>
        <button type="button" className="button small" onClick={() => void saveSource()}>
          <Icon name="download" size={14} />
          router.ts
        </button>
      </div>
    </div>
  );
}
