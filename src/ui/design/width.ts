/** The width of an element on the screen, followed as it changes. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Pixels; `before` until the element is measured for the first time. */
export function useWidth(element: RefObject<HTMLElement | null>, before: number): number {
  const [width, setWidth] = useState(before);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    setWidth(measured.clientWidth);
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
