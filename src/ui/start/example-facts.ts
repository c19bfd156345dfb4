/** What a start card tells about an example, read from its file without trusting its shape. */

export interface ExampleFacts {
  readonly entities: number;
  readonly statements: number;
  readonly steps: number;
  readonly stepSeconds: number;
  readonly queryCurves: readonly (readonly number[])[];
  readonly updateCurves: readonly (readonly number[])[];
  readonly highest: number;
}

/** The facts, or undefined while the file is not there or not understood. */
export function exampleFacts(file: unknown): ExampleFacts | undefined {
  const timeline = asRecord(asRecord(file)?.["timeline"]);
  const entities = asRecord(asRecord(file)?.["entities"]);
  const statements = asRecord(asRecord(file)?.["statements"]);
  const frequencies = asRecord(asRecord(file)?.["frequencies"]) ?? {};
  const steps = timeline?.["steps"];
  const stepSeconds = timeline?.["stepSeconds"];
  if (!entities || !statements || typeof steps !== "number" || typeof stepSeconds !== "number")
    return undefined;
  const curveOf = (id: string): readonly number[] => {
    const curve = frequencies[id];
    if (typeof curve === "number") return Array.from({ length: steps }, () => curve);
    return Array.isArray(curve) ? curve.filter((each) => typeof each === "number") : [];
  };
  const isQuery = (id: string): boolean =>
    /^\s*select\b/i.test(String(asRecord(statements[id])?.["text"] ?? ""));
  const ids = Object.keys(statements);
  const queryCurves = ids.filter(isQuery).map(curveOf);
  const updateCurves = ids.filter((id) => !isQuery(id)).map(curveOf);
  return {
    entities: Object.keys(entities).length,
    statements: ids.length,
    steps,
    stepSeconds,
    queryCurves,
    updateCurves,
    highest: Math.max(1e-9, ...queryCurves.flat(), ...updateCurves.flat()),
  };
}

/** A polyline over the miniature's 240 × 56 box; roots, so that small curves are seen beside large ones. */
export function curvesPath(curve: readonly number[], highest: number): string {
  const width = 240 / Math.max(1, curve.length - 1);
  const at = (value: number): number => 53 - Math.sqrt(value / highest) * 50;
  const points = curve.length === 1 ? [curve[0] ?? 0, curve[0] ?? 0] : curve;
  const step = curve.length === 1 ? 240 : width;
  return points
    .map(
      (value, index) =>
        `${index === 0 ? "M" : "L"}${(index * step).toFixed(1)} ${at(value).toFixed(1)}`,
    )
    .join("");
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
