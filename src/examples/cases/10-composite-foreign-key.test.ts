/** Case 10: foreign keys of two and three columns, sharing columns, declared late, in three dialects. */
import { describe, expect, test } from "vitest";
import { importedCase, relationshipTexts } from "./import-case.ts";

const folder = "10-composite-foreign-key";

describe("composite foreign keys on import", () => {
  test("brackets and GO: two relationships, not five, paired by position", async () => {
    const { read, plan } = await importedCase(`${folder}/shop.sql`);
    expect(read.dialect).toBe("sqlserver");
    expect(plan.entities.map(({ name, identifier }) => [name, identifier])).toEqual([
      ["product", ["company", "code"]],
      ["variant", ["company", "product", "variant"]],
      ["barcode", ["company", "digits"]],
    ]);
    expect(relationshipTexts(plan)).toEqual([
      "product.variant 1-n variant.product_record (company=company, product=code)",
      "variant.barcode 1-n barcode.variant_record (company=company, product=product, variant=variant)",
    ]);
    expect(read.skipped).toEqual([]);
  });

  test("backticks: three relationships, a column in two keys, tables named before they are made", async () => {
    const { read, plan, document } = await importedCase(`${folder}/geo.sql`);
    expect(read.dialect).toBe("mysql");
    expect(relationshipTexts(plan)).toEqual([
      "country.city 1-n city.Country (CountryId=Id)",
      "country.state 1-n state.Country (CountryId=Id)",
      "state.city 1-n city.state (StateId=Id, CountryId=CountryId)",
    ]);
    expect(document.entities["city"]?.identifier).toEqual(["Id", "StateId", "CountryId"]);
    expect(read.skipped.map(({ line, what }) => [line, what])).toEqual([
      [7, "city: KEY IX_city_country (CountryId)"],
    ]);
  });

  test("a key of four columns that arrives after its table", async () => {
    const { plan, read } = await importedCase(`${folder}/late.sql`);
    expect(read.dialect).toBe("postgres");
    expect(plan.entities.map(({ name, identifier }) => [name, identifier])).toEqual([
      ["period", ["period_id", "accident_id", "claim_id", "seq_no"]],
    ]);
  });
});
