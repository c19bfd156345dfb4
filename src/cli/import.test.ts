/** `tidetable import`: designs from SQL and CQL, with an account of what was asked and skipped. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "#document/read.ts";
import { temporaryFolder } from "./captured-run.ts";

const folder = temporaryFolder();
const cases = `${import.meta.dirname}/../examples/cases`;
folder.write("rental.sql", readFileSync(`${cases}/14-film-rental-cycle/rental_mysql.sql`, "utf8"));
folder.write("rows.sql", "INSERT INTO t VALUES (1,\n 2);");
folder.write("video.cql", readFileSync(`${cases}/17-video-site-cql/video.cql`, "utf8"));

test("sql: the design is written, and the account tells questions and skipped lines", async () => {
  folder.write("answers.json", { "junction/film_category": "merge", "count/film": 1000 });
  const { code, out, err } = await folder.run(
    ..."import sql rental.sql --answers answers.json --out design.json --json".split(" "),
  );
  expect(err).toBe("");
  expect(code).toBe(0);
  const found = JSON.parse(out);
  expect(found.dialect).toBe("mysql");
  expect(found.entities).toHaveLength(11);
  expect(found.relationships).toHaveLength(16);
  expect(found.skipped[0]).toEqual({
    line: 1,
    lastLine: 1,
    count: 1,
    what: "SET NAMES utf8",
    reason: "a command of the session",
  });
  const asked = found.questions.map((each: { id: string; answer?: unknown }) => [
    each.id,
    each.answer,
  ]);
  expect(asked).toContainEqual(["junction/film_actor", "keep"]);
  expect(asked).toContainEqual(["junction/film_category", "merge"]);
  expect(asked).toContainEqual(["count/film", 1000]);
  const read = readDocument(folder.read("design.json"));
  expect(read.ok && read.value.name).toBe("rental");
  expect(read.ok && read.value.entities["film"]?.count).toBe(1000);
});

test("in words", async () => {
  const { code, out } = await folder.run("import", "sql", "rental.sql", "--dialect", "mysql");
  expect(code).toBe(0);
  expect(out).toContain("12 entities and 17 relationships read as mysql\n");
  expect(out).toMatch(/line 18 +store +3 attributes +identified by store_id/);
  expect(out).toMatch(/junction\/film_actor +keep of keep, merge +film_actor links actor and film/);
  expect(out).toMatch(/line 53 +insert into `language`.* +rows; how many there are is asked/);
});

test("cql: the tables are the design's schema by hand", async () => {
  const { code, out } = await folder.run("import", "cql", "video.cql", "--out", "video.json");
  expect(code).toBe(0);
  expect(out).toContain("8 entities and 0 relationships read as cql, written to video.json\n");
  const read = readDocument(folder.read("video.json"));
  expect(read.ok && read.value.handMade?.schemas[0]).toHaveLength(8);
});

test.each<[string, string[]]>([
  ["import", ["sql: Say what to import."]],
  ["import xml rental.sql", ["Write import sql FILE, or import cql FILE."]],
  ["import sql", ["FILE: This file is missing."]],
  ["import sql nothing.sql", ["There is no nothing.sql."]],
  ["import sql rental.sql --dialect mysq", ["There is no dialect mysq.", "Did you mean mysql?"]],
  ["import cql video.cql --dialect mysql", ["CQL has no dialects."]],
  ["import sql rental.sql --out rental.sql", ["rental.sql is the input itself."]],
  ["import cql rows.sql", ["No table could be read.", "lines 1–2: INSERT INTO t VALUES (1"]],
  [
    "import sql rental.sql --answers strange.json",
    [
      "There is no question junction/film_actr.",
      "Did you mean junction/film_actor?",
      '"perhaps" is no answer to junction/film_category; write keep or merge.',
    ],
  ],
])("refuses %s", async (words, says) => {
  folder.write("strange.json", {
    "junction/film_actr": "merge",
    "junction/film_category": "perhaps",
  });
  const { code, out, err } = await folder.run(...words.split(" "));
  expect(code).toBe(2);
  expect(out).toBe("");
  for (const each of says) expect(err).toContain(each);
});
