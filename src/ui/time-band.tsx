/**
 * The global time cursor: steps as ticks, the total frequency as an area behind them, changes of the
 * schema as notches. Only the thumb and the words follow the cursor; the drawing behind them does not
 * draw again while it is dragged.
 */
import { memo, useEffect, useMemo, useRef } from "react";
import type { TimelineRecord } from "#document/schema.ts";
import type { FrequencyCurve, TimeStep } from "#model/workload.ts";
import { frequency, span } from "./design/format.ts";
import { Icon } from "./design/icon.tsx";
import { labelEvery, labelPixels, stepLabel, stepName } from "./design/steps.ts";
import { useWidth } from "./design/width.ts";
import {
  moveCursor,
  useCursor,
  useDocument,
  useRun,
  useSession,
  useStudio,
} from "./studio-state.ts";

export function TimeBand() {
  const timeline = useDocument((document) => document.timeline);
  const frequencies = useDocument((document) => document.frequencies);
  const recommendation = useRun((run) => run.answer?.recommendation);
  const totals = useMemo(() => totalPerStep(frequencies, timeline.steps), [frequencies, timeline]);
  const notches = useMemo(
    () =>
      recommendation?.steps.length === timeline.steps
        ? recommendation.migrations.flatMap((each) =>
            each.from >= 0 && each.builds.length + each.drops.length > 0 ? [each.from] : [],
          )
        : [],
    [recommendation, timeline],
  );
  return (
    <section className="time-band" aria-label="Time cursor">
      <PlayButtons timeline={timeline} />
      <div className="band">
        <BandDrawing timeline={timeline} totals={totals} notches={notches} />
        <Cursor timeline={timeline} totals={totals} />
      </div>
      <CursorWords timeline={timeline} totals={totals} />
    </section>
  );
}

/** Executions per second of all statements together, step by step. */
function totalPerStep(
  frequencies: Readonly<Record<string, FrequencyCurve>>,
  steps: number,
): readonly number[] {
  const totals = Array.from({ length: steps }, () => 0);
  for (const curve of Object.values(frequencies))
    for (let step = 0; step < steps; step += 1)
      totals[step] = (totals[step] ?? 0) + (curve[step] ?? 0);
  return totals;
}

function PlayButtons({ timeline }: { readonly timeline: TimelineRecord }) {
  const studio = useStudio();
  const playing = useSession((session) => session.playing);
  const step = useCursor();
  const last = timeline.steps - 1;
  usePlaying(playing, last);
  return (
    <div className="play-buttons">
      <button
        type="button"
        className="button plain icon-only"
        aria-label="Previous step"
        title="Previous step ([)"
        disabled={step === 0}
        onClick={() => moveCursor(studio, step - 1)}
      >
        <Icon name="previous" />
      </button>
      <button
        type="button"
        className="button plain icon-only"
        aria-label={playing ? "Pause" : "Play"}
        title={playing ? "Pause (Space)" : "Play (Space)"}
        disabled={last === 0}
        onClick={() => studio.session.setState({ playing: !playing })}
      >
        <Icon name={playing ? "pause" : "play"} />
      </button>
      <button
        type="button"
        className="button plain icon-only"
        aria-label="Next step"
        title="Next step (])"
        disabled={step === last}
        onClick={() => moveCursor(studio, step + 1)}
      >
        <Icon name="next" />
      </button>
    </div>
  );
}

/** Moves on by a step at a time, from the first again when it starts at the last; stops at the last. */
function usePlaying(playing: boolean, last: TimeStep): void {
  const studio = useStudio();
  useEffect(() => {
    if (!playing) return undefined;
    if (studio.session.getState().step >= last) moveCursor(studio, 0);
    const milliseconds = Math.min(900, Math.max(120, 12_000 / (last + 1)));
    const timer = window.setInterval(() => {
      const { step } = studio.session.getState();
      if (step >= last) studio.session.setState({ playing: false });
      else moveCursor(studio, step + 1);
    }, milliseconds);
    return () => window.clearInterval(timer);
  }, [studio, playing, last]);
}

interface BandProps {
  readonly timeline: TimelineRecord;
  readonly totals: readonly number[];
}

/** Steps stand in columns of equal width, as in every chart over time. */
const BandDrawing = memo(function BandDrawing(props: BandProps & { notches: readonly TimeStep[] }) {
  const { timeline, totals, notches } = props;
  const { steps } = timeline;
  const top = Math.max(...totals, 1e-9);
  const place = useRef<HTMLDivElement>(null);
  const every = labelEvery(steps, useWidth(place, 980), labelPixels(steps, timeline.labels));
  const area = totals
    .map((total, step) => {
      const y = 40 - (total / top) * 34;
      return `${step === 0 ? `M0 40L0 ${y}` : `L${step} ${y}`}L${step + 1} ${y}`;
    })
    .join("");
  return (
    <>
      <svg
        className="band-drawing"
        viewBox={`0 0 ${steps} 40`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={`${area}L${steps} 40Z`} className="band-area" />
        {notches.map((step) => (
          <path key={step} d={`M${step + 1} 0V40`} className="band-notch" />
        ))}
      </svg>
      <div ref={place} className="band-labels" aria-hidden="true">
        {totals.map((_, step) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its index.
          <span key={step} className={step % every === 0 ? "tick labelled" : "tick"}>
            {step % every === 0 ? stepLabel(step, timeline.labels) : ""}
          </span>
        ))}
      </div>
    </>
  );
});

function Cursor({ timeline, totals }: BandProps) {
  const studio = useStudio();
  const step = useCursor();
  const { steps, labels } = timeline;
  const name = stepName(step, labels);
  return (
    <>
      <span
        className="band-cursor"
        style={{ left: `${(step / steps) * 100}%`, width: `${100 / steps}%` }}
        aria-hidden="true"
      />
      <input
        type="range"
        className="band-slider"
        aria-label="Time step"
        aria-valuetext={`${name} of ${steps}, ${frequency(totals[step] ?? 0).exact}`}
        min={0}
        max={steps - 1}
        step={1}
        value={step}
        style={{
          // The thumb's centre runs from the middle of the first column to the middle of the last.
          left: `calc(${50 / steps}% - 8px)`,
          width: `calc(${(100 * (steps - 1)) / steps}% + 16px)`,
        }}
        onChange={(event) => moveCursor(studio, Number(event.target.value))}
      />
    </>
  );
}

function CursorWords({ timeline, totals }: BandProps) {
  const step = useCursor();
  const total = frequency(totals[step] ?? 0);
  const label = timeline.labels?.[step];
  return (
    <div className="cursor-words">
      <strong>
        Step {step + 1} <span className="quiet">of {timeline.steps}</span>
      </strong>
      <span className="quiet small" title={total.exact}>
        {label === undefined ? span(timeline.stepSeconds) : label} · {total.text}
      </span>
    </div>
  );
}
