/**
 * What is opened beside or within a view by a button: Escape closes it, and the button has the focus
 * again afterwards, if the focus was in what went.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";

/** Calls `close` on Escape while `isOpen`; what the studio does on Escape comes first. */
export function useEscape(close: () => void, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [close, isOpen]);
}

export interface SidePanel {
  /** For the panel's element. */
  readonly panel: RefObject<HTMLElement | null>;
  /** To be called when it is opened: the focus returns to what has it then. */
  readonly remember: () => void;
}

export function useSidePanel(isOpen: boolean, close: () => void): SidePanel {
  useEscape(close, isOpen);
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  const remember = useCallback((): void => {
    opener.current = document.activeElement;
  }, []);
  // Before the panel is taken away, while the focus is still in it.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const shown = panel.current;
    return () => {
      const { activeElement } = document;
      const goes = shown?.contains(activeElement) || activeElement === document.body;
      if (goes && opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, [isOpen]);
  return { panel, remember };
}
