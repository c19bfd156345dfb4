/** What a button of the header opens below it: Escape, or a press anywhere else, closes it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useSidePanel } from "./design/side-panel.ts";

export interface MenuPanel {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** For what holds the button and the panel. */
  readonly holder: RefObject<HTMLElement | null>;
  readonly panel: RefObject<HTMLElement | null>;
}

export function useMenuPanel(): MenuPanel {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const { panel, remember } = useSidePanel(isOpen, close);
  const holder = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const listen = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !holder.current?.contains(target)) close();
    };
    window.addEventListener("pointerdown", listen);
    return () => window.removeEventListener("pointerdown", listen);
  }, [isOpen, close]);
  const toggle = (): void => {
    remember();
    setOpen(!isOpen);
  };
  return { isOpen, toggle, close, holder, panel };
}
