/** `docs/growth.md`: how seconds and memory grow with steps, statements and entities, from measurements. */
import { growthAxes, growthBase, growthName } from "#examples/workloads.ts";
import { bytes, count, duration, perCent } from "../figures.ts";
import { markdownTable } from "./markdown-table.ts";
import type { Measurement } from "./measurement.ts";

/** The whole of `docs/growth.md`, ending with a line break. */
export function growthReport(measured: readonly Measurement[], command: string): string {
  const { entities, statements, steps } = growthBase;
  const sections = [
    [
      "# How seconds and memory grow",
      "",
      `Written by \`${command}\` from stored runs of the bench (\`npm run bench -- --only growth --out FILE\`).`,
      "Generated workloads of known structure (src/examples/workloads/generate-workload.ts): a forest of entities, four queries to one",
      "update, no two steps alike, no storage limit. One size is varied at a time, the others stay at",
      `${entities} entities, ${statements} statements and ${steps} steps.`,
    ],
    ...(Object.keys(growthAxes) as (keyof typeof growthAxes)[]).map((axis) => [
      `## ${axis[0]?.toUpperCase()}${axis.slice(1)}`,
      "",
      ...markdownTable(
        [axis, "candidates", "plans", "first answer", "seconds", "processor", "gap", "memory"],
        growthAxes[axis].map((size) => [
          String(size),
          ...rowOf(measured, growthName({ ...growthBase, [axis]: size })),
        ]),
      ),
    ]),
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function rowOf(measured: readonly Measurement[], name: string): string[] {
  const each = measured.find(({ workload, mode }) => workload === name && mode === "certified");
  if (!each) return ["–", "–", "–", "not measured", "–", "–", "–"];
  const { counts, answer, trace, seconds, peakMemory } = each;
  const first = trace[0]?.seconds;
  return [
    String(counts["candidates"] ?? "–"),
    counts["queryPlans"] === undefined ? "–" : count(counts["queryPlans"], ""),
    first === undefined ? "–" : duration(first * 1000),
    (seconds["total"] ?? 0).toFixed(1),
    each.processorSeconds === undefined ? "–" : duration(each.processorSeconds * 1000),
    answer ? perCent(answer.gap) : each.status,
    bytes(peakMemory),
  ];
}
