/** Escape closes what is open beside the room, unless something nearer to the focus takes the key. */
import { useEffect } from "react";

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
