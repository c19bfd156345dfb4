/** The Optimise room: limits on the left; the run, or the cost model it uses, on the right. */
import { useId, useState } from "react";
import { Split } from "../design/split.tsx";
import { Tabs } from "../design/tabs.tsx";
import { useRun } from "../studio-state.ts";
import { CostModelPanel } from "./cost-model-panel.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { RunPanel } from "./run-panel.tsx";
import "./optimise.css";

type Side = "run" | "costs";

export function OptimiseRoom() {
  return (
    <Split
      name="limits"
      label="Width of the limits"
      direction="across"
      initial={400}
      least={320}
      most={620}
      first={<LimitsForm />}
      second={<SidePanel />}
    />
  );
}

function SidePanel() {
  const panel = useId();
  const started = useRun((run) => run.running?.started);
  const [seen, setSeen] = useState(started);
  const [side, setSide] = useState<Side>("run");
  // A run that starts is what a person wants to see.
  if (seen !== started) {
    setSeen(started);
    if (started !== undefined) setSide("run");
  }
  return (
    <div className="optimise-side">
      <Tabs
        label="Run and costs"
        tabs={[
          { name: "run", word: "Run" },
          { name: "costs", word: "Cost model" },
        ]}
        selected={side}
        onSelect={setSide}
        panelId={panel}
      />
      <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${side}`}>
        {side === "run" ? <RunPanel /> : <CostModelPanel />}
      </div>
    </div>
  );
}
