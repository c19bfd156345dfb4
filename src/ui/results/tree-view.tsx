/**
 * The paper's workload summary tree: each node over the steps that it summarises, and under it the tables,
 * where nodes chose them and where the answer has them. One node is looked at; arrow keys walk the tree.
 */
import { type KeyboardEvent, memo, useMemo, useRef, useState } from "react";
import { columnFamilyText } from "#model/column-family.ts";
import type { Recommendation, SummaryTree } from "#model/recommendation.ts";
import { ChartFrame } from "../design/chart-frame.tsx";
import { DataTable } from "../design/data-table.tsx";
import { FamilyLine } from "../design/family-line.tsx";
import { clock, duration, plural, span, threeDigits } from "../design/format.ts";
import { highlightHandlers, useHighlighted } from "../design/highlight.ts";
import { stepHead, stepName } from "../design/steps.ts";
import { StepCursor } from "../step-cursor.tsx";
import type { AnswerIndex } from "./answer-index.ts";
import { plotRight } from "./plot-frame.ts";
import { TimelineHead } from "./timeline-head.tsx";
import { type NodeMark, neighbourOf, nodeMarks, type TreeTable, treeTables } from "./tree-rows.ts";
import "./time-view.css";
import "./tree-view.css";

type Labels = readonly string[] | undefined;

export interface TreeViewProps {
  readonly recommendation: Recommendation;
  readonly tree: SummaryTree;
  readonly index: AnswerIndex;
  readonly labels: Labels;
}

export function TreeView({ recommendation, tree, index, labels }: TreeViewProps) {
  const [asked, setAsked] = useState(0);
  const marks = useMemo(() => nodeMarks(recommendation), [recommendation]);
  const chosen = Math.min(asked, marks.length - 1);
  const rows = useMemo(
    () => treeTables(recommendation, tree, index, chosen),
    [recommendation, tree, index, chosen],
  );
  const mark = marks[chosen];
  const steps = recommendation.steps.length;
  return (
    <div className="time-view tree-view">
      <ChartFrame
        title="Summary tree"
        note="each node is a program of three steps; its ends are as its parent left them"
        table={() => <NodeTable marks={marks} labels={labels} />}
      >
        <div className="timeline">
          <TimelineHead steps={steps} labels={labels} />
          <Nodes marks={marks} steps={steps} labels={labels} chosen={chosen} onChoose={setAsked} />
          {mark && <NodeWords mark={mark} of={marks.length} labels={labels} tree={tree} />}
        </div>
      </ChartFrame>
      <ChartFrame
        title="Tables that the tree leaves"
        note="dots: where a node chose a table; bars: where the answer has it"
        table={() => <TablesTable rows={rows} labels={labels} />}
      >
        <div className="timeline">
          <TimelineHead steps={steps} labels={labels} />
          <div className="timeline-rows">
            {rows.map((row) => (
              <TableRow key={row.family.key} row={row} steps={steps} labels={labels} />
            ))}
            <StepCursor steps={steps} left="var(--gutter)" right={plotRight} />
          </div>
          <TreeKey />
        </div>
      </ChartFrame>
    </div>
  );
}

interface NodesProps {
  readonly marks: readonly NodeMark[];
  readonly steps: number;
  readonly labels: Labels;
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

/** Pixels between two levels of the tree. */
const levelHeight = 34;

function Nodes({ marks, steps, labels, chosen, onChoose }: NodesProps) {
  const tree = useRef<HTMLDivElement>(null);
  const levels = 1 + Math.max(0, ...marks.map(({ depth }) => depth));
  const walk = (event: KeyboardEvent): void => {
    const next = neighbourOf(marks, chosen, event.key);
    if (next === chosen) return;
    event.preventDefault();
    onChoose(next);
    tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[next]?.focus();
  };
  return (
    <div className="tree-plot">
      <ul className="tree-levels quiet small" aria-hidden="true">
        {Array.from({ length: levels }, (_, depth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a level is its index.
          <li key={depth}>{levelWords(depth)}</li>
        ))}
      </ul>
      <div
        ref={tree}
        role="tree"
        aria-label="Nodes of the summary tree"
        className="tree-nodes"
        style={{ height: levels * levelHeight }}
        onKeyDown={walk}
      >
        {marks.map((mark) => (
          <Node
            key={mark.at}
            mark={mark}
            steps={steps}
            labels={labels}
            isChosen={mark.at === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

function levelWords(depth: number): string {
  if (depth === 0) return "All steps";
  return depth === 1 ? "Halves" : depth === 2 ? "Quarters" : `Level ${depth + 1}`;
}

const Node = memo(function Node(props: {
  readonly mark: NodeMark;
  readonly steps: number;
  readonly labels: Labels;
  readonly isChosen: boolean;
  readonly onChoose: (at: number) => void;
}) {
  const { mark, steps, labels, isChosen, onChoose } = props;
  const { node, depth, at } = mark;
  const centre = (step: number): number => ((step + 0.5) / steps) * 100;
  const [left, right] = [centre(node.first), centre(node.last)];
  const words = `${rangeWords(node, labels)}: ${choiceWords(mark)}`;
  return (
    <button
      type="button"
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      aria-label={words}
      title={words}
      tabIndex={isChosen ? 0 : -1}
      className={node.schemas.length > 0 ? "tree-node" : "tree-node unsolved"}
      style={{ top: depth * levelHeight, left: `${left}%`, width: `${right - left}%` }}
      onClick={() => onChoose(at)}
    >
      {node.steps.map((step) => (
        <span
          key={step}
          className={node.inherited.includes(step) ? "tree-step taken" : "tree-step"}
          style={{
            left: right > left ? `${((centre(step) - left) / (right - left)) * 100}%` : "50%",
          }}
        />
      ))}
    </button>
  );
});

function rangeWords({ first, last }: NodeMark["node"], labels: Labels): string {
  return first === last
    ? stepName(first, labels)
    : `${stepName(first, labels)} to ${stepName(last, labels)}`;
}

function choiceWords({ node, adds }: NodeMark): string {
  if (node.schemas.length === 0) return "no answer for these steps by themselves";
  const tables = new Set(node.schemas.flat()).size;
  if (node.parent === undefined) return plural(tables, "table");
  return `${plural(tables, "table")}, ${adds === 0 ? "none" : adds} of them new`;
}

function NodeWords(props: {
  readonly mark: NodeMark;
  readonly of: number;
  readonly labels: Labels;
  readonly tree: SummaryTree;
}) {
  const { mark, of, labels, tree } = props;
  const { node, at, seconds } = mark;
  const { steps, inherited, stepSeconds, objective, proven } = node;
  const shown = (list: readonly number[]): string =>
    list.map((step) => stepHead(step, labels)).join(", ");
  // Every leaf of a whole tree looks at single steps, and so tells how long one is.
  const one = Math.min(...tree.nodes.map((each) => each.stepSeconds));
  return (
    <section className="tree-words" aria-label="The node looked at" aria-live="polite">
      <h3>
        Node {at + 1} of {of}: {rangeWords(node, labels)}
      </h3>
      <dl className="tree-figures">
        <div>
          <dt>Looks at</dt>
          <dd>{shown(steps)}</dd>
        </div>
        <div>
          <dt>Each stands for</dt>
          <dd title={span(stepSeconds)}>
            {stepSeconds > one * 1.000001
              ? `${threeDigits(stepSeconds / one)} steps (${span(stepSeconds)})`
              : `itself (${span(stepSeconds)})`}
          </dd>
        </div>
        <div>
          <dt>Taken over from its parent</dt>
          <dd>{inherited.length > 0 ? `the tables of ${shown(inherited)}` : "nothing"}</dd>
        </div>
        <div>
          <dt>Tables</dt>
          <dd title="New is what no node above it has chosen.">{choiceWords(mark)}</dd>
        </div>
        <div>
          <dt>Cost of its program</dt>
          <dd title={objective === undefined ? undefined : duration(objective).exact}>
            {objective === undefined
              ? "–"
              : `${duration(objective).text}${proven ? "" : ", not proven least"}`}
          </dd>
        </div>
        {seconds !== undefined && (
          <div>
            <dt>Solved in</dt>
            <dd>{seconds < 10 ? duration(seconds * 1000).text : clock(seconds)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const TableRow = memo(function TableRow(props: {
  readonly row: TreeTable;
  readonly steps: number;
  readonly labels: Labels;
}) {
  const { row, steps, labels } = props;
  const highlighted = useHighlighted(row.family.key);
  const at = (step: number): string => `${(step / steps) * 100}%`;
  return (
    <div
      className={highlighted ? "timeline-row highlighted" : "timeline-row"}
      {...highlightHandlers(row.family.key)}
    >
      <div className="timeline-name">
        <span className="tag">{row.tag}</span>
        <FamilyLine family={row.family} oneLine />
      </div>
      <div className="timeline-track" style={{ backgroundSize: `${100 / steps}% 100%` }}>
        {row.stretches.map(({ from, to }) => (
          <span
            key={from}
            className="existence"
            style={{ left: at(from), width: at(to - from + 1) }}
            title={`The answer has ${row.tag} from ${stepName(from, labels)} to ${stepName(to, labels)}`}
          />
        ))}
        {row.wanted.map((step) => {
          const here = row.here.get(step);
          return (
            <span
              key={step}
              className={`tree-dot ${here === "chosen" ? "own" : here ? "taken" : ""}`}
              style={{ left: at(step + 0.5) }}
              title={`${row.tag} at ${stepName(step, labels)}: ${here ? `${here} by the node looked at` : "chosen by a node"}`}
            />
          );
        })}
      </div>
    </div>
  );
});

function TreeKey() {
  return (
    <p className="timeline-key quiet small" aria-hidden="true">
      <span>
        <i className="tree-dot own" /> chosen by the node looked at
      </span>
      <span>
        <i className="tree-dot taken" /> taken over by it
      </span>
      <span>
        <i className="tree-dot" /> chosen by another node
      </span>
      <span>
        <i className="existence" /> in the answer
      </span>
    </p>
  );
}

function NodeTable(props: { readonly marks: readonly NodeMark[]; readonly labels: Labels }) {
  const { marks, labels } = props;
  const list = (steps: readonly number[]): string =>
    steps.map((step) => stepHead(step, labels)).join(", ") || "–";
  return (
    <DataTable
      caption="Nodes of the summary tree"
      columns={[
        { head: "Node", cell: ({ at }: NodeMark) => at + 1 },
        {
          head: "Parent",
          cell: ({ node }) => (node.parent === undefined ? "–" : node.parent + 1),
        },
        { head: "Looks at steps", text: true, cell: ({ node }) => list(node.steps) },
        { head: "Taken over at", text: true, cell: ({ node }) => list(node.inherited) },
        { head: "Tables", cell: ({ node }) => new Set(node.schemas.flat()).size },
        { head: "New", cell: ({ adds }) => adds },
        {
          head: "Cost",
          cell: ({ node }) =>
            node.objective === undefined ? "no answer" : duration(node.objective).exact,
        },
      ]}
      rows={marks}
      rowKey={({ at }) => at}
    />
  );
}

function TablesTable(props: { readonly rows: readonly TreeTable[]; readonly labels: Labels }) {
  const { rows, labels } = props;
  return (
    <DataTable
      caption="Tables that the summary tree leaves"
      columns={[
        { head: "Table", cell: (row: TreeTable) => row.tag },
        { head: "Columns", text: true, cell: (row) => columnFamilyText(row.family) },
        {
          head: "Chosen by a node at",
          text: true,
          cell: (row) => row.wanted.map((step) => stepHead(step, labels)).join(", "),
        },
        {
          head: "In the answer",
          text: true,
          cell: (row) =>
            row.stretches
              .map(({ from, to }) => `${stepHead(from, labels)} to ${stepHead(to, labels)}`)
              .join(", ") || "–",
        },
      ]}
      rows={rows}
      rowKey={(row) => row.family.key}
    />
  );
}
