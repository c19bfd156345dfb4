/** Case 14: film rental. A cycle, two references to one table, link tables that are asked about, a dump's noise. */
import { describe, expect, test } from "vitest";
import { importedCase, questionsOf, relationshipTexts } from "./import-case.ts";

const folder = "14-film-rental-cycle";

describe("film rental", () => {
  test("without answers the link tables stay: twelve entities, all seventeen keys drawn", async () => {
    const { plan, read } = await importedCase(`${folder}/rental_mysql.sql`);
    expect(plan.entities).toHaveLength(12);
    expect(plan.relationships).toHaveLength(17);
    expect(questionsOf(plan, "junction")).toEqual([
      "junction/film_actor",
      "junction/film_category",
    ]);
    const texts = relationshipTexts(plan);
    expect(texts).toContain("store.staff 1-n staff.store (store_id=store_id)");
    expect(texts).toContain(
      "staff.store_manager_staff 1-1 store.manager_staff (manager_staff_id=staff_id)",
    );
    expect(texts).toContain("language.film_language 1-n film.language (language_id=language_id)");
    expect(texts).toContain("language.film_original_language 1-n? film.original_language");
    // Rows, settings and the end of a version comment are told and make nothing.
    expect(read.skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [1, "a command of the session"],
      [2, "a command of the session"],
      [3, "it drops nothing that this text has created"],
      [14, "an index; which tables a query needs is designed anew"],
      [38, "an index; which tables a query needs is designed anew"],
      [53, "rows; how many there are is asked, not counted"],
      [54, "a command of the session"],
    ]);
    expect(read.notes).toEqual([]);
  });

  test("merged by answer, ten entities and two relationships of many to many; what is lost is told", async () => {
    const { plan, document } = await importedCase(`${folder}/rental_mysql.sql`, {
      "junction/film_actor": "merge",
      "junction/film_category": "merge",
      "count/film_actor": 5462,
    });
    expect(plan.entities).toHaveLength(10);
    const texts = relationshipTexts(plan);
    expect(texts).toHaveLength(15);
    expect(texts).toContain("actor.film n-m film.actor");
    expect(texts).toContain("film.category n-m category.film");
    expect(plan.notes.map(({ text }) => text)).toContain(
      "film_actor became a relationship of many to many; last_update of it is left out.",
    );
    const links = Object.values(document.relationships).map((each) => each.links);
    expect(links).toContain(5462);
  });

  test("a path over three entities can be written", async () => {
    const { document } = await importedCase(`${folder}/rental_mysql.sql`);
    const { toProblem } = await import("#document/to-problem.ts");
    const problem = toProblem({
      ...document,
      statements: {
        q: {
          text: "SELECT rental.rental_date FROM rental.inventory.film WHERE film.title = ? ORDER BY rental.rental_date",
        },
      },
      frequencies: { q: [1] },
    });
    expect(problem.ok ? [] : problem.issues).toEqual([]);
  });

  test("the same core in the other dialect is the same model", async () => {
    const mysql = await importedCase(`${folder}/rental_mysql.sql`);
    const other = await importedCase(`${folder}/rental_mssql.sql`);
    expect(other.read.dialect).toBe("sqlserver");
    const core = (texts: readonly string[]) =>
      texts.filter((text) => /^(?:staff|store)\.\w+ \S+ (?:staff|store)\./.test(text));
    expect(relationshipTexts(other.plan)).toEqual(core(relationshipTexts(mysql.plan)));
    for (const { name, attributes, identifier } of other.plan.entities) {
      const same = mysql.plan.entities.find((entity) => entity.name === name);
      expect(identifier).toEqual(same?.identifier);
      for (const attribute of attributes) expect(same?.attributes).toContainEqual(attribute);
    }
    // The grammar stops at the named default; the table is there all the same, and that is told.
    expect(other.read.notes.map(({ line }) => line)).toEqual([1]);
    expect(other.read.skipped.map(({ line }) => line)).toEqual([13]);
  });
});
