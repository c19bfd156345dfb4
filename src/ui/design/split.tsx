/**
 * Two panels with a bar between them that can be dragged or moved with the arrow keys; the size is
 * remembered on this device. The second may be absent; the first stays mounted as it comes and goes.
 */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

export interface SplitProps {
  /** Under which name the size is remembered. */
  readonly name: string;
  readonly label: string;
  readonly direction: "across" | "down";
  /** Which panel has the remembered size; the other takes the rest. */
  readonly sized?: "first" | "second";
  readonly initial: number;
  readonly least: number;
  readonly most: number;
  readonly first: ReactNode;
  readonly second?: ReactNode;
}

export function Split(props: SplitProps) {
  const { name, label, direction, sized = "first", initial, least, most, first, second } = props;
  const [size, setSize] = useState(() => remembered(name) ?? initial);
  const across = direction === "across";
  const shown = Math.min(most, Math.max(least, size));
  const change = (next: number): void => {
    const bounded = Math.round(Math.min(most, Math.max(least, next)));
    setSize(bounded);
    remember(name, bounded);
  };
  const sign = sized === "first" ? 1 : -1;

  const drag = (event: PointerEvent<HTMLElement>): void => {
    const bar = event.currentTarget;
    const from = across ? event.clientX : event.clientY;
    bar.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent): void =>
      change(shown + sign * ((across ? moved.clientX : moved.clientY) - from));
    const end = (): void => {
      bar.removeEventListener("pointermove", move);
      bar.removeEventListener("pointerup", end);
      bar.removeEventListener("pointercancel", end);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", end);
    bar.addEventListener("pointercancel", end);
  };
  const keys = (event: KeyboardEvent): void => {
    const by = {
      ArrowLeft: across ? -16 : 0,
      ArrowRight: across ? 16 : 0,
      ArrowUp: across ? 0 : -16,
      ArrowDown: across ? 0 : 16,
    }[event.key];
    if (!by) return;
    event.preventDefault();
    change(shown + sign * by);
  };

  const isAlone = second === undefined;
  const isSized = (which: "first" | "second"): boolean => !isAlone && which === sized;
  const panel = (which: "first" | "second", content: ReactNode) => (
    <div
      className={isSized(which) ? "sized" : "rest"}
      style={isSized(which) ? { [across ? "width" : "height"]: shown } : undefined}
    >
      {content}
    </div>
  );
  return (
    <div className={`split ${direction}`}>
      {panel("first", first)}
      {!isAlone && (
        // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no hr.
        <div
          role="separator"
          aria-label={label}
          aria-orientation={across ? "vertical" : "horizontal"}
          aria-valuenow={shown}
          aria-valuemin={least}
          aria-valuemax={most}
          tabIndex={0}
          onPointerDown={drag}
          onKeyDown={keys}
        />
      )}
      {!isAlone && panel("second", second)}
    </div>
  );
}

function remembered(name: string): number | undefined {
  try {
    const stored = localStorage.getItem(`tidetable.size.${name}`);
    const size = stored === null ? Number.NaN : Number(stored);
    return Number.isFinite(size) ? size : undefined;
  } catch {
    // Storage is blocked: the size then lasts as long as the page.
    return undefined;
  }
}

function remember(name: string, size: number): void {
  try {
    localStorage.setItem(`tidetable.size.${name}`, String(size));
  } catch {
    // As above.
  }
}
