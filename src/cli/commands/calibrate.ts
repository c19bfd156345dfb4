/** `tidetable calibrate fit`: a cost model from measurements. */
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fitCostModel } from "#interchange/fit-cost-model.ts";
import { readProfile } from "#interchange/profile-csv.ts";
import { type CostModel, defaultCostModel } from "#model/cost-model.ts";
import { type CostFormula, costFormulas, type OperationFit } from "#model/cost-model-fit.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { type Command, fileIssues } from "../command.ts";
import type { CommandLine } from "../command-line.ts";
import { duration, plural } from "../figures.ts";
import { fileTrouble, loadCostModel, readFile, unwritable } from "../load.ts";
import { refuse, warn } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { textTable } from "../text-table.ts";

const help = `usage: tidetable calibrate fit PROFILE.csv [--out MODEL.json] [options]

Fits the coefficients of a cost model to measurements by least squares, and tells how far they can
be trusted: standard errors, 95 % confidence intervals, R² and the largest residuals.

A profile has one row per execution that was timed, and these columns in any order:

  operation,n,w,s,size,milliseconds
  get,1,20,64,,0.94            n Gets that return w rows of s bytes each
  put,,3,,,0.81                w rows put (or deleted: delete)
  extract,,,,2e9,34120         a table of so many bytes read for a migration
  load,,,,2e9,101210           a table of so many bytes written

Lines that begin with # are left out. Repeat measurements: what scatters between them makes the
intervals. A profile that cannot tell two coefficients apart is refused with the rows it lacks.

  --out MODEL.json       write the cost model to a file, for --cost-model of the other commands
  --json                 print the cost model instead of the report
  --name NAME            its name; else that of the file
  --base MODEL.json      take from this model what no profile measures (sorting and grouping in the
                         application, how Gets and bytes are counted); else from the default

exit codes: 0 done, 1 a fault of Tidetable itself, 2 bad input
`;

export const calibrateCommand: Command = {
  name: "calibrate",
  summary: "fit a cost model to measurements",
  help,
  options: { out: "value", json: "flag", name: "value", base: "value" },
  issues: (line, terminal) => {
    const [verb] = line.files;
    if (verb !== "fit")
      return [anError(verb ?? "fit", "Say what to do.", "Write calibrate fit PROFILE.csv.")];
    const out = line.values.get("out");
    const issue =
      out === undefined ? undefined : unwritable(out, terminal, line.files.slice(1), "the profile");
    return [...fileIssues(line, ["fit", "PROFILE.csv"]), ...(issue ? [issue] : [])];
  },
  run: async (line, terminal) => {
    const path = line.files[1] ?? "";
    const base = baseOf(line, terminal);
    if (!base.ok) return refuse(terminal, base.refusals);
    const fitted = fittedFrom(path, terminal, nameOf(line, path), base.value);
    if (!fitted.ok) return refuse(terminal, [{ subject: path, issues: fitted.issues }]);
    warn(terminal, path, fitted.warnings, {});
    return tell(line, terminal, path, fitted.value);
  },
};

function baseOf({ values }: CommandLine, terminal: Terminal): ReturnType<typeof loadCostModel> {
  const path = values.get("base");
  return path === undefined ? { ok: true, value: defaultCostModel } : loadCostModel(path, terminal);
}

/** `--name`, or the file's name without its endings. */
function nameOf({ values }: CommandLine, profile: string): string {
  const file = basename(values.get("out") ?? profile);
  return values.get("name") ?? (file.replace(/(?<=.)\.(?:json|csv|tsv|txt)$/i, "") || file);
}

function fittedFrom(
  path: string,
  terminal: Terminal,
  name: string,
  base: CostModel,
): Result<CostModel> {
  const samples = readFile(path, terminal, readProfile);
  if (!samples.ok) return samples;
  const fitted = fitCostModel(samples.value, { name, base });
  const read: readonly Issue[] = samples.warnings;
  return fitted.ok
    ? { ...fitted, warnings: [...read, ...fitted.warnings] }
    : { ok: false, issues: fitted.issues };
}

function tell(
  { values, flags }: CommandLine,
  terminal: Terminal,
  profile: string,
  model: CostModel,
): number {
  const text = `${JSON.stringify(model, null, 2)}\n`;
  terminal.out(flags.has("json") ? text : reportOf(model, profile));
  const path = values.get("out");
  if (path === undefined) return 0;
  try {
    writeFileSync(resolve(terminal.folder, path), text);
    return 0;
  } catch (error) {
    const issues = [anError("--out", ...fileTrouble(error, path, terminal.folder))];
    return refuse(terminal, [{ subject: "the command line", issues }]);
  }
}

function reportOf({ name, fit }: CostModel, profile: string): string {
  const fits = fit?.operations ?? [];
  const rows = fits.reduce((sum, { samples }) => sum + samples.length, 0);
  const sections = fits.flatMap((each) => {
    const formula = costFormulas.find(({ operation }) => operation === each.operation);
    return formula ? ["", ...sectionOf(formula, each)] : [];
  });
  return [
    `${name}: ${plural(fits.length, "formula")} fitted to ${plural(rows, "measurement")} of ${profile}`,
    ...sections,
    "",
  ].join("\n");
}

/** Residuals that are named. */
const mostNamed = 3;

function sectionOf({ symbol, operation, terms }: CostFormula, fit: OperationFit): string[] {
  const { samples, rSquared, residualStandardError, degreesOfFreedom } = fit;
  const table = textTable(
    [
      { head: "coefficient", align: "left" },
      { head: "value", align: "right" },
      { head: "standard error", align: "right" },
      { head: "95 % interval", align: "right" },
      { head: "unit", align: "left" },
    ],
    fit.coefficients.map(({ name, value, standardError, low, high, belowZero }, index) => [
      name,
      `${digits(value)}${belowZero === undefined ? "" : " (set)"}`,
      digits(standardError),
      `${digits(low)} … ${digits(high)}`,
      terms[index]?.unit ?? "",
    ]),
  );
  const largest = samples
    .toSorted((a, b) => Math.abs(residual(b)) - Math.abs(residual(a)))
    .slice(0, mostNamed)
    .map(
      (sample) =>
        `line ${sample.line} (${duration(sample.measured)} measured, ${duration(sample.predicted)} predicted)`,
    );
  return [
    `${symbol} of ${operation}: ${plural(samples.length, "row")}, R² ${String(Math.floor(rSquared * 1e4) / 1e4).replace("-", "−")}, residuals of ${duration(residualStandardError)} with ${plural(degreesOfFreedom, "degree")} of freedom`,
    ...table,
    `  largest residuals: ${largest.join("; ")}`,
  ];
}

function residual({ measured, predicted }: OperationFit["samples"][number]): number {
  return measured - predicted;
}

/** Four significant digits; below a thousandth with an exponent: `2.519e−5`. */
function digits(value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 1e-3;
  const text = isSmall ? value.toExponential(3) : String(Number(value.toPrecision(4)));
  return text.replaceAll("-", "−");
}
