/** Saves the pictures of a view as one SVG or PNG, as they stand on the screen. */
import type { RefObject } from "react";
import { Icon } from "../design/icon.tsx";
import { pictureOf, pngOf, saveBlob } from "./image-export.ts";

export interface SaveImageProps {
  readonly container: RefObject<HTMLElement | null>;
  /** Of the file, without its ending. */
  readonly name: string;
}

export function SaveImage({ container, name }: SaveImageProps) {
  const save = async (kind: "svg" | "png"): Promise<void> => {
    if (!container.current) return;
    const picture = pictureOf(container.current);
    if (!picture) return;
    const blob =
      kind === "svg" ? new Blob([picture.text], { type: "image/svg+xml" }) : await pngOf(picture);
    if (blob) saveBlob(`sharding-${name}.${kind}`, blob);
  };
  return (
    <span className="save-image">
      {(["svg", "png"] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          className="button small plain"
          aria-label={`Save this view as ${kind.toUpperCase()}`}
          onClick={() => void save(kind)}
        >
          <Icon name="download" size={14} />
          {kind.toUpperCase()}
        </button>
      ))}
    </span>
  );
}
