/** A project file may be dropped anywhere; a file that is no project never takes the page away. */
import { useEffect, useState } from "react";
import type { Issue } from "#model/issue.ts";
import { anError } from "#model/issue.ts";
import { Icon } from "./design/icon.tsx";
import { isSchemaFile } from "./schema-file.ts";
import { openText, useStudio } from "./studio-state.ts";
import { texts } from "./texts.ts";
import "./projects.css";

/** Larger than any project; a file beyond it is not read into memory. */
const mostBytes = 100e6;

export function FileDrop() {
  const studio = useStudio();
  const [isOver, setOver] = useState(false);
  const [refused, setRefused] = useState<{
    readonly name: string;
    readonly issues: readonly Issue[];
  }>();
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      // Where a room takes files itself, its own place is lit.
      setOver(!event.defaultPrevented);
      event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!file || event.defaultPrevented) return;
      event.preventDefault();
      // What was said of the last file goes at once: reading one may take longer than refusing the next.
      setRefused(undefined);
      void openFile(file).then((issues) => {
        if (issues.length > 0) setRefused({ name: file.name, issues });
      });
    };
    const openFile = async (file: File): Promise<readonly Issue[]> => {
      if (isSchemaFile(file.name) && file.size <= mostBytes) {
        studio.session.setState({ importing: { text: await file.text(), name: file.name } });
        return [];
      }
      if (!/\.json$/i.test(file.name) || file.size > mostBytes)
        return [anError("", texts.drop.notOurs(file.name))];
      return openText(studio, await file.text());
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [studio]);
  return (
    <>
      {isOver && (
        <div className="file-over" aria-hidden="true">
          {texts.drop.here}
        </div>
      )}
      {refused && (
        <div className="message error project-banner" role="alert">
          <Icon name="error" />
          <div>
            <strong>{refused.name}</strong>
            {refused.issues.slice(0, 8).map((issue) => (
              <p key={issue.place + issue.message}>
                {issue.place && <code className="mono small">{issue.place}</code>} {issue.message}{" "}
                {issue.hint}
              </p>
            ))}
          </div>
          <button type="button" className="button small" onClick={() => setRefused(undefined)}>
            {texts.common.closeMessage}
          </button>
        </div>
      )}
    </>
  );
}
