/** `tidetable import sql|cql`: a design from a schema that somebody has. */
import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { importedDocument } from "#document/import-commands.ts";
import { parseJson } from "#document/json-text.ts";
import { writeDocument } from "#document/read.ts";
import type { StudioDocument } from "#document/schema.ts";
import { importCql } from "#interchange/import-cql.ts";
import { importSql } from "#interchange/import-sql.ts";
import { planCql } from "#interchange/plan-cql.ts";
import { planSchema } from "#interchange/plan-schema.ts";
import { sqlDialects } from "#interchange/sql-dialect.ts";
import type {
  ImportAnswers,
  ImportNote,
  ImportPlan,
  SkippedPart,
  SqlDialect,
} from "#model/imported-schema.ts";
import { anError, type Issue, type Result } from "#model/issue.ts";
import { suggestion } from "#model/name-matching.ts";
import { type Command, fileIssues } from "../command.ts";
import { type CommandLine, optionValue } from "../command-line.ts";
import { plural } from "../figures.ts";
import { fileTrouble, readFile, unwritable } from "../load.ts";
import { refuse } from "../refusal.ts";
import type { Terminal } from "../terminal.ts";
import { textTable } from "../text-table.ts";

const help = `usage: tidetable import sql|cql FILE [--out DESIGN.json] [options]

Reads the tables of a dump or a script and writes them as a design. sql knows what pg_dump,
mysqldump, SQLite's .dump and SQL Server's scripts print, and what people write; cql what DESCRIBE
of cqlsh prints, and keeps the tables also as the design's schema by hand, to be compared.

What the file does not decide is asked and not assumed: whether a link table is a relationship of
many to many, whether a column that is called like a table refers to it, how many records there are.
The questions are listed with the answers that were taken; write others into a file and give it
with --answers. What is skipped is listed with its lines and the reason.

  --dialect NAME         postgres, mysql, sqlite or sqlserver; else it is told from the text
  --answers ANSWERS.json an object from ids of questions to answers:
                         { "junction/film_actor": "merge", "count/film": 1000 }
  --out DESIGN.json      write the design to a file
  --name NAME            name of the project; else that of the file
  --json                 print an object: dialect, entities, relationships, questions, renamed,
                         skipped (line, lastLine, count, what, reason), notes

exit codes: 0 done, 1 a fault of Tidetable itself, 2 bad input (no table could be read, too)
`;

export const importCommand: Command = {
  name: "import",
  summary: "a design from SQL or CQL",
  help,
  options: {
    dialect: "value",
    answers: "value",
    out: "value",
    name: "value",
    json: "flag",
  },
  issues: (line, terminal) => {
    const [kind] = line.files;
    if (kind !== "sql" && kind !== "cql")
      return [
        anError(kind ?? "sql", "Say what to import.", "Write import sql FILE, or import cql FILE."),
      ];
    const issues: Issue[] = [...fileIssues(line, [kind, "FILE"])];
    optionValue(line, "dialect", readDialect, issues);
    if (kind === "cql" && line.values.has("dialect"))
      issues.push(anError("--dialect", "CQL has no dialects.", "Leave it out."));
    const out = line.values.get("out");
    const taken = [line.files[1], line.values.get("answers")].filter((each) => each !== undefined);
    const issue = out === undefined ? undefined : unwritable(out, terminal, taken, "the input");
    return issue ? [...issues, issue] : issues;
  },
  run: async (line, terminal) => {
    const path = line.files[1] ?? "";
    const answers = answersOf(line, terminal);
    if (!answers.ok)
      return refuse(terminal, [
        { subject: line.values.get("answers") ?? "", issues: answers.issues },
      ]);
    const text = readFile(path, terminal, accepted);
    if (!text.ok) return refuse(terminal, [{ subject: path, issues: text.issues }]);
    const imported = await imports(line, text.value, answers.value);
    if (!imported.ok) return refuse(terminal, [{ subject: path, issues: imported.issues }]);
    return tell(line, terminal, path, imported.value, answers.value);
  },
};

function accepted(text: string): Result<string> {
  return { ok: true, value: text, warnings: [] };
}

function readDialect(text: string): Result<SqlDialect> {
  const found = sqlDialects.find((each) => each === text.toLowerCase());
  if (found) return { ok: true, value: found, warnings: [] };
  const hint = suggestion(text, sqlDialects, `Write ${sqlDialects.join(", ")}.`);
  return { ok: false, issues: [anError("--dialect", `There is no dialect ${text}.`, hint)] };
}

/** The file of `--answers`: an object of texts and numbers. */
function answersOf({ values }: CommandLine, terminal: Terminal): Result<ImportAnswers> {
  const path = values.get("answers");
  if (path === undefined) return { ok: true, value: {}, warnings: [] };
  const read = readFile(path, terminal, parseJson);
  if (!read.ok) return read;
  const isTable =
    typeof read.value === "object" && read.value !== null && !Array.isArray(read.value);
  const entries = isTable ? Object.entries(read.value as object) : [];
  const wrong = entries.filter(
    ([, value]) => typeof value !== "string" && typeof value !== "number",
  );
  const issues = [
    ...(isTable
      ? []
      : [anError("", "The answers are no object.", 'Write { "count/film": 1000 }.')]),
    ...wrong.map(([id]) =>
      anError(id, "This answer is no text and no number.", "Write one of the options."),
    ),
  ];
  return issues.length > 0
    ? { ok: false, issues }
    : { ok: true, value: Object.fromEntries(entries), warnings: [] };
}

interface Imported {
  readonly dialect: string;
  readonly plan: ImportPlan;
  readonly skipped: readonly SkippedPart[];
  readonly notes: readonly ImportNote[];
}

async function imports(
  line: CommandLine,
  text: string,
  answers: ImportAnswers,
): Promise<Result<Imported>> {
  const dialect = optionValue(line, "dialect", readDialect);
  const isCql = line.files[0] === "cql";
  const read = isCql ? importCql(text) : await importSql(text, dialect ? { dialect } : {});
  if (!read.ok) return read;
  const { skipped, notes } = read.value;
  const plan =
    "dialect" in read.value ? planSchema(read.value, answers) : planCql(read.value, answers);
  const value: Imported = {
    dialect: "dialect" in read.value ? read.value.dialect : "cql",
    plan,
    skipped,
    notes: [...notes, ...plan.notes].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
  if (plan.entities.length > 0) return { ok: true, value, warnings: [] };
  const none = anError(
    "",
    "No table could be read.",
    `Check that this is ${isCql ? "CQL" : "SQL"} with CREATE TABLE.`,
  );
  const reasons = skipped
    .slice(0, 10)
    .map((each) => anError(linesOf(each), `${each.what}: ${each.reason}.`));
  return { ok: false, issues: [none, ...reasons] };
}

/** Answers to questions that the file does not raise: a slip of the hand would be lost in silence. */
function strangeAnswers({ questions }: ImportPlan, answers: ImportAnswers): readonly string[] {
  const ids = questions.map(({ id }) => id);
  return Object.entries(answers).flatMap(([id, given]) => {
    const question = questions.find((each) => each.id === id);
    if (!question) return [`There is no question ${id}. ${suggestion(id, ids, "")}`.trim()];
    if (question.answer === given) return [];
    const wanted =
      question.kind === "count"
        ? "a number of at least 1"
        : question.options.map(({ value }) => value).join(" or ");
    return [`${JSON.stringify(given)} is no answer to ${id}; write ${wanted}.`];
  });
}

function tell(
  line: CommandLine,
  terminal: Terminal,
  path: string,
  imported: Imported,
  answers: ImportAnswers,
): number {
  const strange = strangeAnswers(imported.plan, answers);
  if (strange.length > 0)
    return refuse(terminal, [
      {
        subject: line.values.get("answers") ?? "",
        issues: strange.map((text) => anError("", text)),
      },
    ]);
  const name = line.values.get("name") ?? (basename(path).replace(/(?<=.)\.\w+$/, "") || "Import");
  const document = importedDocument(name, imported.plan);
  const written = write(line, terminal, document);
  if (written !== undefined) return written;
  const found = reportOf(imported);
  terminal.out(
    line.flags.has("json")
      ? `${JSON.stringify(found, null, 2)}\n`
      : words(imported, line.values.get("out")),
  );
  return 0;
}

/** Writes the design; the exit code where that fails. */
function write(
  { values }: CommandLine,
  terminal: Terminal,
  document: StudioDocument,
): number | undefined {
  const path = values.get("out");
  if (path === undefined) return undefined;
  try {
    writeFileSync(resolve(terminal.folder, path), writeDocument(document));
    return undefined;
  } catch (error) {
    const [message, hint] = fileTrouble(error, path, terminal.folder);
    return refuse(terminal, [{ subject: path, issues: [anError("", message, hint)] }]);
  }
}

/** What `--json` prints. */
function reportOf({ dialect, plan, skipped, notes }: Imported): object {
  return {
    dialect,
    entities: plan.entities,
    relationships: plan.relationships,
    ...(plan.handMade && { handMade: plan.handMade }),
    questions: plan.questions,
    renamed: plan.renamed,
    skipped,
    notes,
  };
}

function linesOf({ line, lastLine }: SkippedPart): string {
  return line === lastLine ? `line ${line}` : `lines ${line}–${lastLine}`;
}

const signs = { oneToOne: "1:1", oneToMany: "1:n", manyToMany: "n:m" } as const;

function words({ dialect, plan, skipped, notes }: Imported, out: string | undefined): string {
  const { entities, relationships, questions, renamed } = plan;
  const links = plural(relationships.length, "relationship");
  const head = `${plural(entities.length, "entity", "entities")} and ${links} read as ${dialect}${out === undefined ? "" : `, written to ${out}`}\n`;
  const sections: [string, string[][]][] = [
    [
      "Entities",
      entities.map(({ line, name, attributes, identifier }) => [
        `line ${line}`,
        name,
        plural(attributes.length, "attribute"),
        `identified by ${identifier.join(", ") || "nothing yet"}`,
      ]),
    ],
    [
      "Relationships",
      relationships.map(({ multiplicity, ends: [parent, child], optional }) => [
        parent.entity,
        signs[multiplicity],
        child.entity,
        `${child.role} / ${parent.role}${optional ? ", optional" : ""}`,
      ]),
    ],
    [
      "Questions, and the answers taken",
      questions.map((each) => [
        each.id,
        each.kind === "count"
          ? `${each.answer ?? `${each.assumed} (not given)`}`
          : `${each.answer} of ${each.options.map(({ value }) => value).join(", ")}`,
        each.text,
      ]),
    ],
    [
      "Renamed",
      renamed.map(({ line, what, from, to }) => [`line ${line}`, what, `${from} → ${to}`]),
    ],
    [
      "Skipped",
      skipped.map((each) => [
        linesOf(each),
        each.count > 1 ? `${each.count} times` : "",
        each.what,
        each.reason,
      ]),
    ],
    ["To know", notes.map(({ line, text }) => [line === undefined ? "" : `line ${line}`, text])],
  ];
  const told = sections.filter(([, rows]) => rows.length > 0);
  return head + told.map(([title, rows]) => `\n${title}\n${plainTable(rows)}`).join("");
}

/** Rows without heads, all to the left. */
function plainTable(rows: readonly (readonly string[])[]): string {
  const columns = (rows[0] ?? []).map(() => ({ head: "", align: "left" as const }));
  return `${textTable(columns, rows).join("\n")}\n`;
}
