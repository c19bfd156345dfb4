/** An import as the panel shows it: what was found in numbers, entities with their questions, what is left out. */
import type {
  ImportNote,
  ImportPlan,
  ImportQuestion,
  SkippedPart,
} from "#model/imported-schema.ts";
import { plural } from "../design/format.ts";

export type CountQuestion = Extract<ImportQuestion, { kind: "count" }>;
export type ChoiceQuestion = Exclude<ImportQuestion, { kind: "count" }>;

/** One entity to be, with the question how many records it has. */
export interface EntityRow {
  readonly name: string;
  readonly line: number;
  readonly attributes: number;
  readonly identifier: string;
  readonly count: CountQuestion | undefined;
}

/** The entities, and after them the links of tables that became relationships. */
export function entityRows({ entities, questions }: ImportPlan): readonly EntityRow[] {
  const counts = questions.flatMap((each) => (each.kind === "count" ? [each] : []));
  const byEntity = new Map(counts.map((each) => [each.entity, each]));
  const rows = entities.map((entity) => ({
    name: entity.name,
    line: entity.line,
    attributes: entity.attributes.length,
    identifier: entity.identifier.join(", "),
    count: byEntity.get(entity.name),
  }));
  const links = counts
    .filter((each) => each.entity === undefined)
    .map((count) => ({
      name: count.text,
      line: count.line,
      attributes: 0,
      identifier: "",
      count,
    }));
  return [...rows, ...links];
}

export interface QuestionGroup {
  readonly kind: ChoiceQuestion["kind"];
  readonly title: string;
  readonly hint: string;
  readonly questions: readonly ChoiceQuestion[];
}

const groups: readonly Omit<QuestionGroup, "questions">[] = [
  {
    kind: "junction",
    title: "Link tables",
    hint: "They stay entities unless you say otherwise.",
  },
  {
    kind: "one to one",
    title: "One to one",
    hint: "A key of the file says so.",
  },
  {
    kind: "link by name",
    title: "Links that only names suggest",
    hint: "Guesses: none is drawn unless you say so.",
  },
  {
    kind: "layout",
    title: "The same records in another order",
    hint: "Guesses: each table is an entity unless you say otherwise.",
  },
];

/** Questions with a choice, by kind; kinds without any are left out. */
export function questionGroups({ questions }: ImportPlan): readonly QuestionGroup[] {
  return groups
    .map((group) => ({
      ...group,
      questions: questions.flatMap((each) =>
        each.kind !== "count" && each.kind === group.kind ? [each] : [],
      ),
    }))
    .filter((group) => group.questions.length > 0);
}

/** `line 7`, `lines 7–12`. */
export function linesText({ line, lastLine }: Pick<SkippedPart, "line" | "lastLine">): string {
  return line === lastLine ? `line ${line}` : `lines ${line}–${lastLine}`;
}

/** What was found, in one sentence. */
export function foundText(plan: ImportPlan, skipped: readonly SkippedPart[]): string {
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  return [
    plural(plan.entities.length, "entity", "entities"),
    plural(plan.relationships.length, "relationship"),
    ...(left > 0 ? [`${left} skipped`] : []),
    ...(plan.renamed.length > 0 ? [`${plan.renamed.length} renamed`] : []),
  ].join(" · ");
}

/** Notes of the reading and of the plan, by line. */
export function allNotes(
  read: readonly ImportNote[],
  { notes }: Pick<ImportPlan, "notes">,
): readonly ImportNote[] {
  return [...read, ...notes].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** Numbers that are not given yet. */
export function openCounts({ questions }: ImportPlan): number {
  return questions.filter((each) => each.kind === "count" && each.answer === undefined).length;
}

/** A project's name from a file's. */
export function projectName(fileName: string | undefined): string {
  const name = (fileName ?? "").replace(/(?<=.)\.\w+$/, "").trim();
  return name === "" ? "Imported schema" : name;
}
