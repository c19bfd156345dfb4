/** The Optimise room: limits on the left, the run on the right. */
import { Split } from "../design/split.tsx";
import { LimitsForm } from "./limits-form.tsx";
import { RunPanel } from "./run-panel.tsx";
import "./optimise.css";

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
      second={<RunPanel />}
    />
  );
}
