/** What differs between two scenarios, or a scenario and the project, one row for each input. */
import { effective } from "#document/scenario.ts";
import { entityName, type ScenarioId, type StudioDocument } from "#document/schema.ts";
import type { StorageLimit } from "#model/problem.ts";
import type { FrequencyCurve } from "#model/workload.ts";
import { bytes, exactNumber, threeDigits } from "./design/format.ts";
import { texts } from "./texts.ts";

export interface DifferenceRow {
  readonly key: string;
  /** What is taken back where the row is an override of a scenario. */
  readonly override:
    | { readonly kind: "count" | "curve"; readonly id: string }
    | { readonly kind: "storage" | "pins" };
  readonly what: string;
  readonly one: string;
  readonly other: string;
}

const words = texts.scenarios;

/** Rows in the order of the document: records, curves, limit, pins; undefined stands for the project itself. */
export function differenceRows(
  project: StudioDocument,
  one: ScenarioId | undefined,
  other: ScenarioId | undefined,
): readonly DifferenceRow[] {
  const [a, b] = [effective(project, one), effective(project, other)];
  return [
    ...Object.entries(a.entities).flatMap(([id, entity]): DifferenceRow[] => {
      const count = b.entities[id]?.count ?? entity.count;
      if (count === entity.count) return [];
      const what = words.recordsOf(entityName(id, entity));
      const shown = (value: number): string => exactNumber(value);
      const override = { kind: "count", id } as const;
      return [
        { key: `count ${id}`, override, what, one: shown(entity.count), other: shown(count) },
      ];
    }),
    ...Object.keys(a.statements).flatMap((id): DifferenceRow[] => {
      const [mine, theirs] = [a.frequencies[id] ?? [], b.frequencies[id] ?? []];
      if (sameCurve(mine, theirs)) return [];
      const what = words.curveOf(a.statements[id]?.label ?? id);
      const override = { kind: "curve", id } as const;
      return [
        { key: `curve ${id}`, override, what, one: curveWords(mine), other: curveWords(theirs) },
      ];
    }),
    ...limitRow(a, b),
    ...pinsRow(a, b),
  ];
}

function limitRow(a: StudioDocument, b: StudioDocument): readonly DifferenceRow[] {
  const [one, other] = [limitWords(a.settings.storage), limitWords(b.settings.storage)];
  return one === other
    ? []
    : [{ key: "storage", override: { kind: "storage" }, what: words.storage, one, other }];
}

function pinsRow(a: StudioDocument, b: StudioDocument): readonly DifferenceRow[] {
  const [mine, theirs] = [a.restrictions ?? {}, b.restrictions ?? {}];
  if (JSON.stringify(Object.values(mine)) === JSON.stringify(Object.values(theirs))) return [];
  const shown = (pins: object): string => words.pinCount(Object.keys(pins).length);
  return [
    {
      key: "pins",
      override: { kind: "pins" },
      what: words.pins,
      one: shown(mine),
      other: shown(theirs),
    },
  ];
}

/** The mean and the range of a curve: enough to see which is which. */
function curveWords(curve: FrequencyCurve): string {
  const mean = curve.reduce((sum, value) => sum + value, 0) / Math.max(1, curve.length);
  const [low, high] = [Math.min(...curve), Math.max(...curve)];
  return low === high
    ? `${threeDigits(mean)} /s`
    : words.curve(threeDigits(mean), threeDigits(low), threeDigits(high));
}

function limitWords(limit: StorageLimit): string {
  switch (limit.kind) {
    case "none":
      return words.noLimit;
    case "bytes":
      return bytes(limit.bytes).text;
    case "percentOfStaticAverage":
      return words.percentOfStatic(threeDigits(limit.percent));
  }
}

function sameCurve(a: FrequencyCurve, b: FrequencyCurve): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
