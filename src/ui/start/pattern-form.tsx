/** Opens an example under other frequencies than its own: a pattern, over so many steps, at a storage limit. */
import { type FormEvent, useId, useState } from "react";
import { documentFrom } from "#document/read.ts";
import { mostSteps } from "#document/schema.ts";
import type { Example, ExamplePatterns } from "#examples/examples.ts";
import type { Issue } from "#model/issue.ts";
import { openDocument, useStudio } from "../studio-state.ts";

/** Per cent of the static-average schema's size: the limits of the paper's runs, its standard first. */
const limits = [80, 100, 95, 90, 85, 75, 70];

export function PatternForm(props: {
  readonly example: Example;
  readonly patterns: ExamplePatterns;
  readonly onProblem: (
    problem: { readonly what: string; readonly issues: readonly Issue[] } | undefined,
  ) => void;
}) {
  const { example, patterns, onProblem } = props;
  const studio = useStudio();
  const [pattern, setPattern] = useState(patterns.names[0] ?? "");
  const [stepsText, setStepsText] = useState(String(patterns.usualSteps(pattern)));
  const [percent, setPercent] = useState(limits[0] ?? 100);
  const id = useId();
  const steps = Number(stepsText);
  const wrong = stepsWrong(patterns, pattern, steps);
  const choose = (name: string): void => {
    setPattern(name);
    setStepsText(String(patterns.usualSteps(name)));
  };
  const open = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (wrong !== undefined) return;
    const issues = await issuesOfOpening();
    onProblem(issues.length > 0 ? { what: example.title, issues } : undefined);
  };
  const issuesOfOpening = async (): Promise<readonly Issue[]> => {
    try {
      const read = documentFrom(patterns.apply(await example.load(), pattern, steps));
      if (!read.ok) return read.issues;
      const storage = { kind: "percentOfStaticAverage", percent } as const;
      const settings = { ...read.value.settings, storage };
      return await openDocument(studio, { ...read.value, settings });
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      const hint = "Check the connection and try again.";
      return [{ severity: "error", place: "", message, hint }];
    }
  };
  return (
    <form
      className="pattern-form"
      aria-label={`${example.title}: other frequencies`}
      onSubmit={(event) => void open(event)}
    >
      <div className="field">
        <label htmlFor={`${id}-pattern`}>Pattern</label>
        <select
          id={`${id}-pattern`}
          className="select"
          value={pattern}
          onChange={(event) => choose(event.target.value)}
        >
          {patterns.names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-steps`}>Steps</label>
        <input
          id={`${id}-steps`}
          className="input number"
          inputMode="numeric"
          value={stepsText}
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
          onChange={(event) => setStepsText(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-storage`}>Storage</label>
        <select
          id={`${id}-storage`}
          className="select"
          value={percent}
          onChange={(event) => setPercent(Number(event.target.value))}
        >
          {limits.map((each) => (
            <option key={each} value={each}>
              {each} %
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button" disabled={wrong !== undefined}>
        Open
      </button>
      {wrong !== undefined && (
        <p id={`${id}-wrong`} className="field-error" role="alert">
          {wrong}
        </p>
      )}
    </form>
  );
}

function stepsWrong(patterns: ExamplePatterns, pattern: string, steps: number): string | undefined {
  return Number.isInteger(steps) && steps >= 1 && steps <= mostSteps
    ? patterns.problem(pattern, steps)
    : `Write a whole number of steps from 1 to ${mostSteps}.`;
}
