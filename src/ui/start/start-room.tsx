/** The start page: examples with the question each answers, opening a file, and taking this project away as files. */
import { useEffect, useRef, useState } from "react";
import { writeDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { examples } from "#examples/examples.ts";
import type { Issue } from "#model/issue.ts";
import { plural, span } from "../design/format.ts";
import { Icon } from "../design/icon.tsx";
import { download, fileName } from "../download.ts";
import { ProjectSection } from "../project-list.tsx";
import { openText, useDocumentState, useRun, useStudio } from "../studio-state.ts";
import { DrawNew } from "./draw-new.tsx";
import { curvesPath, type ExampleFacts, exampleFacts } from "./example-facts.ts";
import { PasteSchema } from "./paste-schema.tsx";
import { PatternForm } from "./pattern-form.tsx";
import "./start.css";

export function StartRoom() {
  const [problem, setProblem] = useState<OpeningProblem>();
  return (
    <div className="start-room">
      <div className="start-top">
        <header className="start-head">
          <h1>Which tables, and when?</h1>
          <p>
            Tidetable designs the tables of a Cassandra database for a workload that changes over
            time: which column families exist in every step, how each query is answered, and when to
            migrate. Everything runs in this page; nothing leaves it.
          </p>
          <DrawNew />
        </header>
        <PasteSchema />
      </div>
      {problem && <ProblemMessage problem={problem} onClose={() => setProblem(undefined)} />}
      <section aria-labelledby="examples-head">
        <h2 id="examples-head">Examples</h2>
        <ul className="example-cards">
          {examples.map((example) => (
            <ExampleCard key={example.id} example={example} onProblem={setProblem} />
          ))}
        </ul>
      </section>
      <div className="start-columns">
        <OpenFile onProblem={setProblem} />
        <ThisProject />
        <ProjectSection id="projects-head" />
      </div>
    </div>
  );
}

type Example = (typeof examples)[number];

interface OpeningProblem {
  readonly what: string;
  readonly issues: readonly Issue[];
}

function ProblemMessage(props: { readonly problem: OpeningProblem; readonly onClose: () => void }) {
  const { what, issues } = props.problem;
  const isRefusal = issues.some((issue) => issue.severity === "error");
  const message = useRef<HTMLDivElement>(null);
  // Files are dropped at the foot of the page, and the message stands at its head.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every problem wants to be seen, not only the first.
  useEffect(() => {
    message.current?.scrollIntoView({ block: "nearest" });
  }, [props.problem]);
  return (
    <div
      ref={message}
      className={`start-message message ${isRefusal ? "error" : "caution"}`}
      role="alert"
    >
      <Icon name={isRefusal ? "error" : "warning"} />
      <div>
        <strong>{isRefusal ? `${what} cannot be opened.` : `${what} was opened.`}</strong>
        <ul>
          {issues.slice(0, 12).map((issue) => (
            <li key={issue.place + issue.message}>
              {issue.place && <code className="mono small">{issue.place}</code>} {issue.message}{" "}
              {issue.hint}
            </li>
          ))}
        </ul>
        {issues.length > 12 && <p>… and {issues.length - 12} more.</p>}
        <div className="actions">
          <button type="button" className="button small" onClick={props.onClose}>
            Close this message
          </button>
        </div>
      </div>
    </div>
  );
}

function ExampleCard(props: {
  readonly example: Example;
  readonly onProblem: (problem: OpeningProblem | undefined) => void;
}) {
  const { example, onProblem } = props;
  const studio = useStudio();
  const [file, setFile] = useState<unknown>();
  useEffect(() => {
    let current = true;
    example.load().then(
      (loaded) => current && setFile(loaded),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [example]);
  const open = async (): Promise<void> => {
    try {
      const issues = await openText(studio, JSON.stringify(await example.load()));
      onProblem(issues.length > 0 ? { what: example.title, issues } : undefined);
    } catch (fault) {
      const message = fault instanceof Error ? fault.message : String(fault);
      const hint = "Check the connection and try again.";
      onProblem({
        what: example.title,
        issues: [{ severity: "error", place: "", message, hint }],
      });
    }
  };
  const facts = exampleFacts(file);
  return (
    <li>
      <button type="button" className="example-card" onClick={() => void open()}>
        <Miniature facts={facts} />
        <strong>{example.title}</strong>
        <span className="question">{example.question}</span>
        <span className="quiet small">
          {facts
            ? `${plural(facts.entities, "entity", "entities")} · ${plural(facts.statements, "statement")} · ${plural(facts.steps, "step")} of ${span(facts.stepSeconds)}`
            : "\u00a0"}
        </span>
      </button>
      {example.patterns && (
        <PatternForm example={example} patterns={example.patterns} onProblem={onProblem} />
      )}
    </li>
  );
}

/** The example's frequency curves, in a few strokes. */
function Miniature({ facts }: { readonly facts: ExampleFacts | undefined }) {
  return (
    <svg className="miniature" viewBox="0 0 240 56" preserveAspectRatio="none" aria-hidden="true">
      {facts?.queryCurves.map((curve, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, in this order.
        <path key={index} d={curvesPath(curve, facts.highest)} className="query" />
      ))}
      {facts?.updateCurves.map((curve, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, in this order.
        <path key={index} d={curvesPath(curve, facts.highest)} className="update" />
      ))}
    </svg>
  );
}

function OpenFile(props: { readonly onProblem: (problem: OpeningProblem | undefined) => void }) {
  const studio = useStudio();
  const [over, setOver] = useState(false);
  const open = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    const issues = await openText(studio, await file.text());
    props.onProblem(issues.length > 0 ? { what: file.name, issues } : undefined);
  };
  return (
    <section aria-labelledby="open-head">
      <h2 id="open-head">Open a file</h2>
      <label
        className={over ? "drop-zone over" : "drop-zone"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void open(event.dataTransfer.files[0]);
        }}
      >
        <Icon name="upload" size={20} />
        <span>
          <span className="as-link">Choose a project file</span> or drop it here
        </span>
        <span className="quiet small">A Tidetable project as JSON; it opens as a new project.</span>
        <input
          type="file"
          className="visually-hidden"
          accept=".json,application/json"
          aria-label="Choose a project file"
          onChange={(event) => {
            void open(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </label>
    </section>
  );
}

function ThisProject() {
  const project = useDocumentState((state) => state.history.present);
  const answer = useRun((run) => run.answer);
  const entities = Object.keys(project.entities).length;
  const statements = Object.keys(project.statements).length;
  if (entities === 0 && statements === 0) return null;
  return (
    <section aria-labelledby="project-head">
      <h2 id="project-head">This project</h2>
      <div className="project-card">
        <strong>{project.name}</strong>
        {project.question !== undefined && <p>{project.question}</p>}
        <p className="quiet small">
          {plural(entities, "entity", "entities")} · {plural(statements, "statement")} ·{" "}
          {plural(project.timeline.steps, "step")} of {span(project.timeline.stepSeconds)}
        </p>
        <div className="actions">
          <a className="button" href="#/model">
            Go on with it
          </a>
          <button type="button" className="button" onClick={() => downloadProject(project)}>
            <Icon name="download" size={14} />
            Download project
          </button>
          {answer && (
            <button
              type="button"
              className="button"
              onClick={() =>
                download(
                  fileName(project.name, "result"),
                  JSON.stringify(answer.recommendation, null, 2),
                )
              }
            >
              <Icon name="download" size={14} />
              Download result
            </button>
          )}
        </div>
      </div>
    </section>
  );
}

function downloadProject(project: StudioDocument): void {
  download(fileName(project.name), writeDocument(project));
}
