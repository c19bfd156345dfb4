/** Document files changed in one thing: what migrations cost, the storage limit, which statements there are. */

interface DocumentFile {
  readonly name: string;
  readonly timeline: { readonly steps: number };
  readonly statements: Readonly<Record<string, object>>;
  readonly frequencies: Readonly<Record<string, readonly number[]>>;
  readonly settings?: object;
}

/** Per cent of the static-average schema's size; undefined for no limit. */
export function withStorage(file: unknown, percent: number | undefined): unknown {
  const document = file as DocumentFile;
  const storage =
    percent === undefined ? { kind: "none" } : { kind: "percentOfStaticAverage", percent };
  return { ...document, settings: { ...document.settings, storage } };
}

/** Extraction and loading cost so many times what a cost model says; queries and updates as before. */
export function withDearerMigration(
  file: unknown,
  times: number,
  model: { readonly extract: LinearCost; readonly load: LinearCost },
): unknown {
  const document = file as DocumentFile;
  const dearer = ({ fixed, perByte }: LinearCost): LinearCost => ({
    fixed: fixed * times,
    perByte: perByte * times,
  });
  return {
    ...document,
    name: `${document.name}, migration × ${times}`,
    settings: {
      ...document.settings,
      costModel: {
        ...model,
        name: `migration × ${times}`,
        extract: dearer(model.extract),
        load: dearer(model.load),
      },
    },
  };
}

interface LinearCost {
  readonly fixed: number;
  readonly perByte: number;
}

/**
 * Ten statements of the TPC-H example: the first ten of the original group, five under its curve and
 * five under that of the duplicate group, so that there is something to move tables for.
 */
export function tenStatements(file: unknown): unknown {
  const document = file as DocumentFile;
  const ids = Object.keys(document.statements).slice(0, 10);
  const curves = Object.values(document.frequencies);
  const both = [curves[0] ?? [], curves.at(-1) ?? []];
  return {
    ...document,
    name: `TPC-H, ten statements, ${document.timeline.steps} steps`,
    statements: Object.fromEntries(ids.map((id) => [id, document.statements[id] ?? {}])),
    frequencies: Object.fromEntries(ids.map((id, index) => [id, both[index < 5 ? 0 : 1]])),
  };
}
