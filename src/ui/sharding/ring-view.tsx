/** The ring: whose stretch is whose, one node's tokens, where a key lives, and what a node that joins would take. */
import { type ReactNode, type RefObject, useMemo, useRef, useState } from "react";
import { ownership } from "#sharding/ring.ts";
import type { StrategyOutcome } from "#sharding/run-experiment.ts";
import type { LabAnswer } from "#worker/lab-client.ts";
import { DataTable } from "../design/data-table.tsx";
import { perCent, plural, threeDigits } from "../design/format.ts";
import { KeyProbe, type Probe } from "./key-probe.tsx";
import { laidOut } from "./lab-rows.ts";
import { type RingArc, ringArcs, sectorPath } from "./ring-rows.ts";
import { RouterFiles } from "./router-files.tsx";
import { SaveImage } from "./save-image.tsx";

export function RingView({ answer }: { readonly answer: LabAnswer }) {
  const outcome = laidOut(answer).find(({ layout }) => layout.kind === "ring");
  const [probe, setProbe] = useState<Probe>();
  const place = useRef<HTMLDivElement>(null);
  return (
    <div className="lab-view ring-view" ref={place}>
      {outcome ? (
        <RingOf
          outcome={outcome}
          answer={answer}
          probe={probe}
          container={place}
          beside={<KeyProbe answer={answer} onProbe={setProbe} />}
        />
      ) : (
        <>
          <div className="lab-note">
            <h2>No ring here</h2>
            <p>Add the strategy “ring” at the left to see its tokens and who owns what.</p>
          </div>
          <KeyProbe answer={answer} onProbe={setProbe} />
        </>
      )}
      <RouterFiles answer={answer} />
    </div>
  );
}

interface RingOfProps {
  readonly outcome: StrategyOutcome;
  readonly answer: LabAnswer;
  readonly probe: Probe | undefined;
  readonly container: RefObject<HTMLElement | null>;
  readonly beside: ReactNode;
}

function RingOf({ outcome, answer, probe, container, beside }: RingOfProps) {
  const [chosen, setChosen] = useState(0);
  const [isJoining, setIsJoining] = useState(false);
  const { layout, added } = outcome;
  const shown = isJoining ? added.layout : layout;
  const arcs = useMemo(() => (shown.kind === "ring" ? ringArcs(shown.ring) : []), [shown]);
  const shares = useMemo(
    () => (shown.kind === "ring" ? ownership(shown.ring) : new Float64Array()),
    [shown],
  );
  const marked = isJoining ? shown.nodes.length - 1 : Math.min(chosen, shown.nodes.length - 1);
  const token = probe?.placements.find(({ name }) => name === outcome.name)?.turn;
  const virtual =
    outcome.strategy.kind === "ring" && outcome.strategy.tokens === "random"
      ? outcome.strategy.virtualNodes
      : 1;
  return (
    <section className="ring-panel" aria-labelledby="ring-head">
      <header className="lab-view-head">
        <h2 id="ring-head">{outcome.name}</h2>
        <p className="quiet small">
          {plural(virtual, "token")} per node. A key belongs to the first token from its own on,
          clockwise.
        </p>
        <span className="spacer" />
        <SaveImage container={container} name="ring" />
      </header>
      <div className="ring-body">
        <RingDrawing
          arcs={arcs}
          nodes={shown.nodes}
          marked={marked}
          isJoining={isJoining}
          turn={token}
          name={outcome.name}
        />
        <div className="ring-side">{beside}</div>
      </div>
      <div className="ring-body">
        <div className="ring-owners">
          <label className="choice">
            <input
              type="checkbox"
              checked={isJoining}
              onChange={(event) => setIsJoining(event.target.checked)}
            />
            <span>
              Show what one more node would take: {perCent(added.keyShare)} of the keys,{" "}
              {perCent(added.expected)} in theory
            </span>
          </label>
          <DataTable
            caption="Nodes of the ring with the share of tokens that each owns"
            rows={shown.nodes.map((node, index) => ({ node, index, share: shares[index] ?? 0 }))}
            rowKey={({ node }) => node}
            columns={[
              {
                head: "Node",
                text: true,
                cell: ({ node, index }) => (
                  <button
                    type="button"
                    className="link-button"
                    aria-pressed={index === marked}
                    disabled={isJoining}
                    onClick={() => setChosen(index)}
                  >
                    {node}
                  </button>
                ),
              },
              { head: "Owns", cell: ({ share }) => perCent(share) },
              {
                head: "of the mean",
                cell: ({ share }) => `${threeDigits(share * shown.nodes.length)}×`,
              },
              {
                head: "Stretches",
                cell: ({ index }) => arcs.filter(({ node }) => node === index).length,
              },
            ]}
          />
          <p className="quiet small">
            Theory: with {virtual} of {virtual * shown.nodes.length} random tokens a node owns{" "}
            {perCent(1 / shown.nodes.length)} ± {perCent(spreadOf(shown.nodes.length, virtual))}.
            {answer.cluster.replicas > 1 &&
              ` Copies go to the next ${answer.cluster.replicas - 1} other nodes around the ring.`}
          </p>
        </div>
      </div>
    </section>
  );
}

/** Standard deviation of a node's share: Beta(v, (N − 1)·v) has variance (1/N)(1 − 1/N)/(N·v + 1). */
function spreadOf(nodes: number, virtual: number): number {
  return Math.sqrt(((1 / nodes) * (1 - 1 / nodes)) / (nodes * virtual + 1));
}

const radius = 150;

function RingDrawing(props: {
  readonly arcs: readonly RingArc[];
  readonly nodes: readonly string[];
  readonly marked: number;
  readonly isJoining: boolean;
  readonly turn: number | undefined;
  readonly name: string;
}) {
  const { arcs, nodes, marked, isJoining, turn, name } = props;
  const isSparse = arcs.length <= 24;
  const own = arcs.filter(({ node }) => node === marked).length;
  return (
    <svg
      className="ring-drawing chart"
      viewBox="-190 -190 380 380"
      width={380}
      height={380}
      role="img"
      aria-label={`The ring of ${plural(nodes.length, "node")}; ${nodes[marked]} owns ${plural(own, "stretch", "stretches")} of it, marked`}
      data-picture={name}
    >
      {arcs.map((arc) => (
        <path
          key={arc.token}
          className={arcClass(arc, marked, isJoining)}
          d={sectorPath(arc, radius - 30, radius)}
        >
          <title>{`${nodes[arc.node]} up to token ${arc.token}: ${perCent(arc.to - arc.from)}`}</title>
        </path>
      ))}
      {isSparse &&
        arcs.map((arc) => {
          const angle = (arc.from + arc.to) * Math.PI;
          return (
            <text
              key={arc.token}
              x={(radius + 18) * Math.sin(angle)}
              y={4 - (radius + 12) * Math.cos(angle)}
              textAnchor="middle"
            >
              {(nodes[arc.node] ?? "").replace(/^node /, "")}
            </text>
          );
        })}
      <text className="ring-name" y={-4} textAnchor="middle">
        {nodes[marked]}
      </text>
      <text y={16} textAnchor="middle">
        {plural(own, "stretch", "stretches")}
      </text>
      {turn !== undefined && (
        <g transform={`rotate(${turn * 360})`}>
          <path className="probe-mark" d={`M0 ${-(radius - 34)}l-7 14h14z`} />
          <path className="probe-line" d={`M0 ${-(radius - 32)}V${-(radius + 6)}`} />
        </g>
      )}
    </svg>
  );
}

/** Neighbours differ in lightness, so that stretches can be told apart; one node is marked. */
function arcClass({ node }: RingArc, marked: number, isJoining: boolean): string {
  if (node === marked) return isJoining ? "arc joining" : "arc marked";
  return node % 2 === 0 ? "arc even" : "arc odd";
}
