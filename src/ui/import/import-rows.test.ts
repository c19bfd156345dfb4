import { expect, test } from "vitest";
import { importSql } from "#interchange/import-sql.ts";
import { planSchema } from "#interchange/plan-schema.ts";
import { isSchemaFile } from "../schema-file.ts";
import {
  entityRows,
  foundText,
  linesText,
  openCounts,
  projectName,
  questionGroups,
} from "./import-rows.ts";

const text = `create table a (id int primary key); create table b (id int primary key);
create table ab (a_id int references a, b_id int references b, primary key (a_id, b_id));
create index i on a (id);
select 1;`;

async function planned(answers: Parameters<typeof planSchema>[1]) {
  const read = await importSql(text);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return { plan: planSchema(read.value, answers), skipped: read.value.skipped };
}

test("entities in one line keep their own counts; a merged link table asks for its links", async () => {
  const { plan, skipped } = await planned({ "junction/ab": "merge", "count/b": 7 });
  expect(entityRows(plan).map(({ name, count }) => [name, count?.id, count?.answer])).toEqual([
    ["a", "count/a", undefined],
    ["b", "count/b", 7],
    ["How many links does ab hold?", "count/ab", undefined],
  ]);
  expect(openCounts(plan)).toBe(2);
  expect(foundText(plan, skipped)).toBe("2 entities · 1 relationship · 2 skipped");
});

test("questions stand in groups, and only the kinds there are", async () => {
  const { plan } = await planned({});
  expect(questionGroups(plan).map(({ title, questions }) => [title, questions.length])).toEqual([
    ["Link tables", 1],
  ]);
});

test("words for lines, names and files", () => {
  expect(linesText({ line: 3, lastLine: 3 })).toBe("line 3");
  expect(linesText({ line: 3, lastLine: 9 })).toBe("lines 3–9");
  expect(projectName("shop.dump.sql")).toBe("shop.dump");
  expect(projectName(undefined)).toBe("Imported schema");
  expect(["a.sql", "a.CQL", "a.json", "sql"].map(isSchemaFile)).toEqual([true, true, false, false]);
});
