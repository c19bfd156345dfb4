/**
 * Cost, storage and migrations over time, under each other on the same columns: a step stands at the
 * same place in all three.
 */
import { useCallback, useMemo, useState } from "react";
import type { AnswerBalance, Recommendation } from "#model/recommendation.ts";
import { useSidePanel } from "../design/side-panel.ts";
import { Split } from "../design/split.tsx";
import type { AnswerIndex } from "./answer-index.ts";
import { CostChart } from "./cost-chart.tsx";
import { baselineRows, costRows } from "./cost-rows.ts";
import { MigrationPanel } from "./migration-panel.tsx";
import { MigrationTimeline } from "./migration-timeline.tsx";
import { StorageChart } from "./storage-chart.tsx";
import { type BuildMark, migrationDetail, timelineRows } from "./timeline-rows.ts";
import "./time-view.css";

export interface TimeViewProps {
  readonly recommendation: Recommendation;
  /** How the tables spread over the cluster, where that is known. */
  readonly balance: AnswerBalance | undefined;
  readonly index: AnswerIndex;
  readonly labels: readonly string[] | undefined;
}

/** One build: its table and when it appears. */
export interface ChosenBuild {
  readonly family: string;
  readonly to: number;
}

export function TimeView({ recommendation, balance, index, labels }: TimeViewProps) {
  const [chosen, setChosen] = useState<ChosenBuild>();
  const rows = useMemo(() => costRows(recommendation, labels), [recommendation, labels]);
  const baselines = useMemo(() => baselineRows(recommendation), [recommendation]);
  const timeline = useMemo(
    () => timelineRows(recommendation, index, balance),
    [recommendation, index, balance],
  );
  const row = timeline.find((each) => each.family.key === chosen?.family);
  const mark: BuildMark | undefined = row?.builds.find((build) => build.to === chosen?.to);
  const close = useCallback(() => setChosen(undefined), []);
  const { panel, remember } = useSidePanel(mark !== undefined, close);
  const choose = useCallback(
    (build: ChosenBuild): void => {
      remember();
      setChosen(build);
    },
    [remember],
  );
  return (
    <Split
      name="migration-panel"
      label="Width of the migration plan"
      direction="across"
      sized="second"
      initial={400}
      least={300}
      most={640}
      first={
        <div className="time-view">
          <CostChart rows={rows} baselines={baselines} recommendation={recommendation} />
          <StorageChart rows={rows} limit={recommendation.storageLimit} />
          <MigrationTimeline
            rows={timeline}
            steps={recommendation.steps.length}
            labels={labels}
            chosen={chosen}
            onChoose={choose}
          />
        </div>
      }
      second={
        row &&
        mark && (
          <MigrationPanel
            ref={panel}
            detail={migrationDetail(index, row.family, mark)}
            index={index}
            labels={labels}
            onClose={close}
          />
        )
      }
    />
  );
}
