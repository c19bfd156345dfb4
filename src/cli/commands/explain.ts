/** `tidetable explain`: why an answer has its tables and plans, and what the others would cost. */
import { asCandidate } from "#engine/by-hand.ts";
import { checkRecommendation } from "#engine/check-recommendation.ts";
import { type ExplainTools, explainFamily, explainStatement } from "#engine/explain.ts";
import { openHighs } from "#ilp/highs.ts";
import { parseColumnFamily } from "#model/column-family-text.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import type { Problem } from "#model/problem.ts";
import type { Recommendation } from "#model/recommendation.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { type Command, fileIssues } from "../command.ts";
import { type CommandLine, optionValue, readStorage, readTimeLimit } from "../command-line.ts";
import { familyExplanationText, statementExplanationText } from "../explanation-text.ts";
import { type Design, loadDesign, loadResult } from "../load.ts";
import { refuse, warn } from "../refusal.ts";
import { reportText } from "../report.ts";
import type { Terminal } from "../terminal.ts";
import { exitCodes, runDesign } from "./optimise.ts";

const help = `usage: tidetable explain DESIGN.json [RESULT.json] [options]
       tidetable explain --example ID [RESULT.json] [options]

Tells of every table of the answer who uses it and when, and what the answer would cost without it.
Of a query at a step it tells what the plans that were not chosen would cost and why, and at which
frequency the plan would switch. Without RESULT.json the design is optimised first.

  --family TABLE         one table only: its key, or a text such as "[user.id] [] -> user.name"
  --statement LABEL      a query, by label or id, instead of the tables
  --step N               the step (from 1) at which the query is looked at; left out, the one at
                         which it runs most often
  --time-limit SECONDS   for each search, default 10; what is not proven by then is an estimate
  --storage BYTES|N%     most bytes at one step, where the design is optimised first; a result
                         states its own limit
  --schema FILE          the schema by hand that the result was given
  --cost-model FILE      the cost model that the result was given
  --json                 print the explanations as JSON
  --scenario NAME        take the design under one of its scenarios
  --example ID           take an example instead of a file
  --pattern NAME         of an example that has patterns of frequencies (tpch: cycles,
                         evolution, spike, smooth48, smooth) take this one
  --steps N              and so many steps (12; smooth: 48)

exit codes: 0 explained, 1 a fault of Tidetable itself, 2 bad input, 3 no schema can be right, 4 no
answer within the time limit
`;

const defaultSeconds = 10;

export const explainCommand: Command = {
  name: "explain",
  summary: "why these tables and plans, and what others would cost",
  help,
  options: {
    family: "value",
    statement: "value",
    step: "value",
    "time-limit": "value",
    storage: "value",
    schema: "value",
    "cost-model": "value",
    json: "flag",
    scenario: "value",
    example: "value",
    pattern: "value",
    steps: "value",
  },
  issues: (line) => {
    const named = line.values.has("example") ? 0 : 1;
    const names = ["DESIGN.json", ...line.files.slice(named, named + 1).map(() => "RESULT.json")];
    const issues = fileIssues(line, names);
    optionValue(line, "time-limit", readTimeLimit, issues);
    optionValue(line, "storage", readStorage, issues);
    if (line.values.has("family") && line.values.has("statement"))
      issues.push(anError("--family", "Either a table or a query is explained.", "Leave one out."));
    return issues;
  },
  run: async (line, terminal) => {
    const design = await loadDesign(line, terminal);
    if (!design.ok) return refuse(terminal, design.refusals);
    const { subject, document, warnings } = design.value;
    warn(terminal, subject, warnings, document.statements);
    const answer = await answerFor(line, design.value, terminal);
    return typeof answer === "number" ? answer : tell(line, design.value, answer, terminal);
  },
};

/** The answer of the result's file, or of a run; else the exit code, the reason having been told. */
async function answerFor(
  line: CommandLine,
  design: Design,
  terminal: Terminal,
): Promise<Recommendation | number> {
  const path = line.values.has("example") ? line.files[0] : line.files[1];
  if (path !== undefined) {
    const result = loadResult(path, terminal);
    if (!result.ok) return refuse(terminal, result.refusals);
    if ("objective" in result.value) return ownAnswer(path, result.value, design, terminal);
    terminal.out(`${path} holds no answer: there is nothing to explain.\n`);
    return exitCodes[result.value.status];
  }
  const storage = optionValue(line, "storage", readStorage);
  const settings = { storage, gap: 0, timeLimit: undefined, mode: "certified" } as const;
  const outcome = await runDesign(design, settings, terminal);
  if ("objective" in outcome) return outcome;
  if (outcome.status === "failed")
    terminal.err(outcome.reasons.map((reason) => `tidetable: ${reason}\n`).join(""));
  else terminal.out(reportText(outcome, design));
  return exitCodes[outcome.status];
}

/** A result of another design cannot be explained by this one. */
function ownAnswer(
  path: string,
  answer: Recommendation,
  { problem, subject }: Design,
  terminal: Terminal,
): Recommendation | number {
  const { storageLimit } = answer;
  const storage =
    storageLimit === undefined
      ? ({ kind: "none" } as const)
      : ({ kind: "bytes", bytes: storageLimit } as const);
  const [first] = checkRecommendation(answer, { ...problem, storage });
  if (!first) return answer;
  const hint = `Explain it with the design that it was made from; tidetable check ${subject} ${path} lists what differs.`;
  const issue = anError("", `This is no result of ${subject}: ${first.message}`, hint);
  return refuse(terminal, [{ subject: path, issues: [issue] }]);
}

async function tell(
  line: CommandLine,
  design: Design,
  answer: Recommendation,
  terminal: Terminal,
): Promise<number> {
  const { problem, document } = design;
  const subject = subjectOf(line, problem, answer);
  if (!subject.ok)
    return refuse(terminal, [{ subject: "the command line", issues: subject.issues }]);
  const tools: ExplainTools = {
    solver: await openHighs(),
    now: terminal.now,
    timeLimitSeconds: optionValue(line, "time-limit", readTimeLimit) ?? defaultSeconds,
  };
  const asJson = line.flags.has("json");
  const { value } = subject;
  if (value.kind === "query") {
    const explanation = await explainStatement(problem, answer, value.query.id, value.step, tools);
    terminal.out(
      asJson
        ? `${JSON.stringify(explanation, null, 2)}\n`
        : statementExplanationText(explanation, value.query, document),
    );
    return 0;
  }
  const explanations = [];
  for (const key of value.keys) {
    const explanation = await explainFamily(problem, answer, key, tools);
    explanations.push(explanation);
    if (!asJson) terminal.out(familyExplanationText(explanation, document));
  }
  if (asJson) terminal.out(`${JSON.stringify(explanations, null, 2)}\n`);
  return 0;
}

type Subject =
  | { readonly kind: "families"; readonly keys: readonly string[] }
  | { readonly kind: "query"; readonly query: Query; readonly step: number };

function subjectOf(
  { values }: CommandLine,
  problem: Problem,
  answer: Recommendation,
): Result<Subject> {
  const [statement, family] = [values.get("statement"), values.get("family")];
  if (statement !== undefined) return querySubject(statement, values.get("step"), problem);
  const keys = [...new Set(answer.steps.flatMap(({ schema }) => schema))];
  if (family === undefined) return { ok: true, value: { kind: "families", keys }, warnings: [] };
  const key = keys.includes(family) ? family : keyOf(family, problem);
  if (typeof key !== "string") return { ok: false, issues: key };
  return keys.includes(key)
    ? { ok: true, value: { kind: "families", keys: [key] }, warnings: [] }
    : refused("--family", `The answer has no table ${key}.`, `Its tables are ${keys.join("; ")}.`);
}

function keyOf(text: string, { entityGraph, options }: Problem): string | readonly Issue[] {
  const parsed = parseColumnFamily(text, entityGraph, "--family", options.sizeFactor);
  return parsed.ok ? asCandidate(entityGraph, parsed.value, options.sizeFactor).key : parsed.issues;
}

function querySubject(
  name: string,
  stepText: string | undefined,
  { statements, workload }: Problem,
): Result<Subject> {
  const queries = statements.filter(isQuery);
  const query =
    queries.find(({ id }) => id === name) ?? queries.find(({ label }) => label === name);
  const names = queries.map(({ label }) => label);
  if (!query)
    return refused(
      "--statement",
      `There is no query ${name}.`,
      suggestion(name, names, `The queries are ${names.join(", ")}.`),
    );
  const curve = workload.curves[query.id] ?? [];
  const { steps } = workload.timeline;
  const busiest = curve.indexOf(Math.max(...curve));
  const step = stepText === undefined ? busiest : Number(stepText) - 1;
  return Number.isInteger(step) && step >= 0 && step < steps
    ? { ok: true, value: { kind: "query", query, step }, warnings: [] }
    : refused("--step", `There is no step ${stepText}.`, `The steps are 1 to ${steps}.`);
}

function refused(place: string, message: string, hint: string): Result<never> {
  return { ok: false, issues: [anError(place, message, hint)] };
}
