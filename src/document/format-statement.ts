/**
 * A statement in its canonical spelling, laid out in lines: what the printer of the language says, with
 * each clause on a line of its own where one line would be long. It means the same as before.
 */
import { anError } from "#model/issue.ts";
import type { StatementId } from "#model/statement.ts";
import { printStatement } from "#model/statement-text.ts";
import { type Report, tokenise } from "#model/statement-tokens.ts";
import { type Edit, setStatementText } from "./commands.ts";
import type { StudioDocument } from "./schema.ts";
import { entityGraphOf, statementOf } from "./to-problem.ts";

/** Characters that fit into one line. */
const lineLength = 60;
const clauses = ["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "SET"];

/** Puts a statement into its canonical spelling; refuses one that has mistakes, or comments that would be lost. */
export function formatStatement(document: StudioDocument, id: StatementId): Edit {
  const graph = entityGraphOf(document);
  if (!graph.ok) return graph;
  const statement = statementOf(document, graph.value, id);
  if (!statement.ok) return statement;
  if (hasComment(statement.value.text))
    return {
      ok: false,
      issues: [
        anError(
          `statements/${id}`,
          "Formatting would drop the comment in the text.",
          "Remove the comment first, or leave the text as it is.",
        ),
      ],
    };
  const text = inLines(printStatement(statement.value, graph.value));
  return setStatementText(document, id, text);
}

function tokensOf(text: string): ReturnType<typeof tokenise> {
  const report: Report = { place: "", issues: [] };
  return tokenise(text, report);
}

function hasComment(text: string): boolean {
  let end = 0;
  for (const { span } of tokensOf(text)) {
    if (/--|\/\*/.test(text.slice(end, span.start))) return true;
    end = span.end;
  }
  return false;
}

/** Names that are words of the language stand in quotes, so that every such word begins a clause. */
function inLines(text: string): string {
  if (text.length <= lineLength) return text;
  const begins = tokensOf(text).filter(
    ({ kind, text: word, span }) => kind === "word" && clauses.includes(word) && span.start > 0,
  );
  let laidOut = "";
  let end = 0;
  for (const { span } of begins) {
    laidOut += `${text.slice(end, span.start).trimEnd()}\n`;
    end = span.start;
  }
  return laidOut + text.slice(end);
}
