/**
 * The selected curve with its points, over the quiet ones. A point is moved by mouse, finger or pen, or
 * by the arrow keys; either way it is one gesture of the document's history, ends at round numbers and is
 * taken back with Escape. It reads the document itself, so that a point follows the hand at once while
 * the chart behind it waits for a pause.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useXAxisScale, useYAxisScale } from "recharts";
import { setFrequency } from "#document/commands.ts";
import type { FrequencyCurve, TimeStep } from "#model/workload.ts";
import { exactNumber, frequency } from "../design/format.ts";
import { stepName } from "../design/steps.ts";
import { useDocument } from "../studio-state.ts";
import type { StatementRow } from "./curve-rows.ts";
import { draggedTo, type FrequencyScale, nudged } from "./frequency-scale.ts";
import { useGesture } from "./use-gesture.ts";

/** Without a key for so long, the keys before count as one change. */
const pauseMilliseconds = 1500;
/** Grains that a key moves a point by: with Shift, and Page Up and Down. */
const largeStep = 10;
/** With more points than this, only the one in focus or hand is drawn as a dot. */
const mostDots = 60;

export interface CurvePointsProps {
  readonly row: StatementRow;
  readonly scale: FrequencyScale;
  readonly labels: readonly string[] | undefined;
  /** The scale must not follow a point while it is moved. */
  readonly onHold: (held: boolean) => void;
}

export function CurvePoints(props: CurvePointsProps) {
  const { row, scale, labels } = props;
  const x = useXAxisScale();
  const y = useYAxisScale();
  const curve = useDocument((document) => document.frequencies[row.id]) ?? [];
  const [active, setActive] = useState<TimeStep>(0);
  const [focused, setFocused] = useState<TimeStep>();
  const points = useRef<SVGGElement>(null);
  const graspable = useCallback((element: SVGGElement | null) => {
    points.current = element;
    // Not every browser keeps from scrolling by the style of a drawing's parts alone.
    const stay = (event: TouchEvent): void => event.preventDefault();
    element?.addEventListener("touchstart", stay, { passive: false });
    return () => element?.removeEventListener("touchstart", stay);
  }, []);
  const moving = useMovingPoint(props);
  if (!x || !y) return null;
  const place = (step: TimeStep): number => x(step, { position: "middle" }) ?? 0;
  const height = (value: number): number => y(scale.to(value)) ?? 0;
  const bottom = y(0) ?? 0;
  const unit = bottom - (y(1) ?? 0);
  const current = Math.min(active, curve.length - 1);
  const shown = moving.step ?? focused;

  const press = (event: PointerEvent<SVGGElement>): void => {
    const svg = event.currentTarget.ownerSVGElement;
    if (event.button !== 0 || !svg || moving.step !== undefined) return;
    const box = svg.getBoundingClientRect();
    const step = nearestStep(event.clientX - box.left, curve.length, place);
    setActive(step);
    const valueAt = (clientY: number): number =>
      draggedTo(scale, (bottom - (clientY - svg.getBoundingClientRect().top)) / unit);
    moving.drag(event, step, valueAt);
  };
  const keys = (event: KeyboardEvent<SVGGElement>): void => {
    const next = stepAfterKey(event.key, current, curve.length);
    if (next !== undefined) {
      event.preventDefault();
      moving.commit();
      setActive(next);
      focusPoint(points, next);
      return;
    }
    moving.key(event, current, curve[current] ?? 0);
  };
  const path = curve
    .map((value, step) => `${step === 0 ? "M" : "L"}${place(step)} ${height(value)}`)
    .join("");
  const dots = curve.length <= mostDots;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the points in it are the sliders; it is where they can be grasped.
    <g
      ref={graspable}
      className={`chosen-curve ${row.kind}${moving.step === undefined ? "" : " moving"}`}
      onPointerDown={press}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={keys}
      onBlur={() => {
        setFocused(undefined);
        moving.commit();
      }}
    >
      <path className="line" d={path} />
      <path className="grasp" d={path} />
      {curve.map((value, step) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is its step.
          key={step}
          role="slider"
          tabIndex={step === current ? 0 : -1}
          aria-label={`${row.label}, ${stepName(step, labels)}`}
          aria-orientation="vertical"
          aria-valuemin={0}
          aria-valuemax={scale.ticks.at(-1) ?? 1}
          aria-valuenow={value}
          aria-valuetext={frequency(value).exact}
          className={dots || step === shown ? "dot" : "dot hidden"}
          cx={place(step)}
          cy={height(value)}
          r={step === shown ? 5 : 3.4}
          onFocus={() => {
            setActive(step);
            setFocused(step);
          }}
        />
      ))}
      {shown !== undefined && (
        <PointLabel
          x={place(shown)}
          y={height(curve[shown] ?? 0)}
          share={(shown + 0.5) / curve.length}
          text={`${exactNumber(curve[shown] ?? 0)} per second at ${stepName(shown, labels)}`}
        />
      )}
      {shown === undefined && <PeakLabel row={row} curve={curve} place={place} height={height} />}
    </g>
  );
}

interface MovingPoint {
  /** The step whose point is in the hand. */
  readonly step: TimeStep | undefined;
  readonly drag: (
    event: PointerEvent<SVGGElement>,
    step: TimeStep,
    valueAt: (clientY: number) => number,
  ) => void;
  readonly key: (event: KeyboardEvent, step: TimeStep, value: number) => void;
  readonly commit: () => void;
}

/** One gesture at a time, by hand or by keys. */
function useMovingPoint({ row, scale, labels, onHold }: CurvePointsProps): MovingPoint {
  // Leaving the room, or choosing another statement, must not lose what was moved.
  const gesture = useGesture("commit");
  const [step, setStep] = useState<TimeStep>();
  const timer = useRef(0);
  const leaveHand = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      leaveHand.current?.();
    },
    [],
  );
  const begin = (at: TimeStep): void => {
    gesture.begin(`Set ${row.label} at ${stepName(at, labels)}`);
    onHold(true);
  };
  const end = (how: "commit" | "cancel"): void => {
    window.clearTimeout(timer.current);
    leaveHand.current?.();
    leaveHand.current = undefined;
    gesture.end(how);
    setStep(undefined);
    onHold(false);
  };
  const set = (at: TimeStep, value: number): void => {
    gesture.preview((shown) => setFrequency(shown, row.id, at, value));
  };
  const commit = (): void => {
    if (gesture.isOn()) end("commit");
  };
  return {
    step,
    commit,
    drag: (event, at, valueAt) => {
      event.preventDefault();
      const circle = event.currentTarget.querySelectorAll<SVGElement>("[role=slider]")[at];
      circle?.focus({ preventScroll: true });
      commit();
      begin(at);
      setStep(at);
      // Grasping a point beside its middle does not move it: what counts is how far the hand goes.
      const box = circle?.getBoundingClientRect();
      const offset = box ? box.top + box.height / 2 - event.clientY : 0;
      leaveHand.current = followHand(event, {
        move: (clientY) => set(at, valueAt(clientY + offset)),
        end,
      });
    },
    key: (event, at, value) => {
      // Undo is of the document, with what the keys before did as its last entry.
      if (event.ctrlKey || event.metaKey || event.altKey) return commit();
      if (gesture.isOn() && (event.key === "Escape" || event.key === "Enter")) {
        event.preventDefault();
        return end(event.key === "Escape" ? "cancel" : "commit");
      }
      const grains = grainsOf(event);
      if (grains === undefined) return;
      event.preventDefault();
      if (!gesture.isOn()) begin(at);
      set(at, nudged(scale, value, grains));
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => end("commit"), pauseMilliseconds);
    },
  };
}

interface Hand {
  /** At most once a frame. */
  readonly move: (clientY: number) => void;
  readonly end: (how: "commit" | "cancel") => void;
}

/** Follows a pressed pointer until it is let go; Escape, or the system taking it away, cancels. Returns how to leave off. */
function followHand(event: PointerEvent<SVGGElement>, hand: Hand): () => void {
  const { currentTarget: target, pointerId, clientY } = event;
  target.setPointerCapture(pointerId);
  let frame = 0;
  let latest = clientY;
  const move = (moved: globalThis.PointerEvent): void => {
    latest = moved.clientY;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      hand.move(latest);
    });
  };
  const up = (): void => {
    if (latest !== clientY) hand.move(latest);
    hand.end("commit");
  };
  const cancel = (): void => hand.end("cancel");
  const keys = (pressed: globalThis.KeyboardEvent): void => {
    if (pressed.key !== "Escape") return;
    pressed.preventDefault();
    pressed.stopPropagation();
    cancel();
  };
  target.addEventListener("pointermove", move);
  target.addEventListener("pointerup", up);
  target.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", keys, true);
  return () => {
    cancelAnimationFrame(frame);
    target.removeEventListener("pointermove", move);
    target.removeEventListener("pointerup", up);
    target.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", keys, true);
  };
}

/** How far a key moves a point, in grains; undefined for keys that do not. */
function grainsOf({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): number | undefined {
  const size = shiftKey ? largeStep : 1;
  const grains: Readonly<Record<string, number>> = {
    ArrowUp: size,
    ArrowDown: -size,
    PageUp: largeStep,
    PageDown: -largeStep,
  };
  return Object.hasOwn(grains, key) ? grains[key] : undefined;
}

function stepAfterKey(key: string, step: TimeStep, steps: number): TimeStep | undefined {
  const next: Readonly<Record<string, number>> = {
    ArrowLeft: step - 1,
    ArrowRight: step + 1,
    Home: 0,
    End: steps - 1,
  };
  if (!Object.hasOwn(next, key)) return undefined;
  return Math.min(steps - 1, Math.max(0, next[key] ?? 0));
}

function nearestStep(at: number, steps: number, place: (step: TimeStep) => number): TimeStep {
  const width = steps > 1 ? place(1) - place(0) : 1;
  return Math.min(steps - 1, Math.max(0, Math.round((at - place(0)) / width)));
}

function focusPoint(points: RefObject<SVGGElement | null>, step: TimeStep): void {
  points.current?.querySelectorAll<SVGElement>("[role=slider]")[step]?.focus();
}

function PointLabel(props: {
  readonly x: number;
  readonly y: number;
  /** Where in the width of the plot, 0 … 1. */
  readonly share: number;
  readonly text: string;
}) {
  const { x, y, share, text } = props;
  const anchor = share < 0.2 ? "start" : share > 0.8 ? "end" : "middle";
  return (
    <text className="peak-label" x={x} y={Math.max(12, y - 11)} textAnchor={anchor}>
      {text}
    </text>
  );
}

/** The name of the curve, over its highest point. */
function PeakLabel(props: {
  readonly row: StatementRow;
  readonly curve: FrequencyCurve;
  readonly place: (step: TimeStep) => number;
  readonly height: (value: number) => number;
}) {
  const { row, curve, place, height } = props;
  const peak = curve.indexOf(Math.max(...curve));
  if (peak < 0) return null;
  return (
    <PointLabel
      x={place(peak)}
      y={height(curve[peak] ?? 0)}
      share={(peak + 0.5) / curve.length}
      text={row.label}
    />
  );
}
