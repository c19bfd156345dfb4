import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultCostModel } from "#model/cost-model.ts";
import { defaultOptions } from "#model/problem.ts";
import { setFrequency } from "./commands.ts";
import { documentFrom, readDocument, writeDocument } from "./read.ts";
import type { StudioDocument } from "./schema.ts";

const fixture = readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8");
const fixture2 = readFileSync(new URL("./fixtures/v2.json", import.meta.url), "utf8");

function loaded(text: string): StudioDocument {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.issues.map((issue) => issue.message).join("\n"));
  return read.value;
}

/** A small file of which each test breaks something. */
function aFile(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    format: "tidetable",
    version: 1,
    name: "Users",
    entities: {
      user: {
        count: 10,
        attributes: [
          { name: "id", type: "uuid" },
          { name: "name", type: "text" },
          { name: "age", type: "int" },
        ],
        identifier: ["id"],
      },
    },
    statements: { q1: { text: "SELECT user.name FROM user WHERE user.id = ?" } },
    timeline: { steps: 2, stepSeconds: 3600 },
    frequencies: { q1: [1, 2] },
    ...change,
  };
}

function issuesOf(file: unknown) {
  const read = documentFrom(file);
  return read.ok ? [] : read.issues;
}

function placesOf(file: unknown): string[] {
  return issuesOf(file).map((issue) => issue.place);
}

describe("readDocument", () => {
  test("loads the sample file of version 1", () => {
    const document = loaded(fixture);
    expect(Object.keys(document.statements)).toEqual([
      "hotelsByCity",
      "amenitiesOfHotel",
      "stays",
      "book",
      "cancel",
      "closeBooks",
    ]);
    expect(document.frequencies["cancel"]).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(document.relationships["guestBookings"]?.bind).toEqual({ guest_id: "id" });
    expect(document.settings.options).toEqual({ ...defaultOptions, cyclic: true });
  });

  test("writes out what a file leaves to the defaults", () => {
    expect(loaded(JSON.stringify(aFile())).settings).toEqual({
      storage: { kind: "none" },
      options: defaultOptions,
      costModel: defaultCostModel,
      gap: 1e-4,
    });
  });

  test("takes a file that names its JSON Schema", () => {
    const document = loaded(JSON.stringify(aFile({ $schema: "tidetable-document.schema.json" })));
    expect(document).not.toHaveProperty("$schema");
  });

  test("tells line and column of a mistake in the JSON", () => {
    const read = readDocument('{\n  "format": "tidetable",\n}');
    expect(read.ok ? [] : read.issues).toMatchObject([
      { place: "", message: expect.stringContaining("line 3, column 1") },
    ]);
  });

  test("names the place of a wrong value, what stands there and how to mend it", () => {
    const file = aFile({
      entities: {
        user: {
          count: 10,
          attributes: [
            { name: "id", type: "uuid" },
            { name: "name", type: "varchar" },
            { name: "age", type: "int", bytes: "four" },
          ],
          identifier: ["id"],
        },
      },
    });
    expect(issuesOf(file)).toEqual([
      {
        severity: "error",
        place: "entities/user/attributes/1/type",
        message: "“type” is the text “varchar”.",
        hint: "Choose one of uuid, text, int, bigint, double, decimal, boolean, date, timestamp, blob, counter.",
      },
      {
        severity: "error",
        place: "entities/user/attributes/2/bytes",
        message: "“bytes” is the text “four”.",
        hint: "Write the average bytes of a value, above 0.",
      },
    ]);
  });

  test("reports every mistake at once, those between records included", () => {
    const places = placesOf(
      aFile({
        name: 3,
        relationships: {
          owns: {
            multiplicity: "oneToMany",
            ends: [
              { entity: "user", role: "owner" },
              { entity: "item", role: "items" },
            ],
          },
        },
        statements: { q1: { text: "SELECT" }, q2: { text: "SELECT" } },
        timeline: { steps: 2, stepSeconds: 0, labels: ["day"] },
        frequencies: { q1: [1, -2], q3: [1, 2, 3] },
        settings: { gap: 2 },
        layout: { positions: { item: { x: 0, y: 0 } } },
      }),
    );
    expect(places.sort()).toEqual(
      [
        "name",
        "relationships/owns/ends/1/entity",
        "frequencies/q2",
        "timeline/stepSeconds",
        "timeline/labels",
        "frequencies/q1/1",
        "frequencies/q3",
        "frequencies/q3",
        "settings/gap",
        "layout/positions/item",
      ].sort(),
    );
  });

  test("says that a statement without a frequency has none", () => {
    expect(issuesOf(aFile({ frequencies: {} }))).toMatchObject([
      { place: "frequencies/q1", message: "The statement q1 has no frequency." },
    ]);
  });

  test("says what is missing", () => {
    const { timeline: _, ...file } = aFile();
    expect(issuesOf(file)).toMatchObject([
      { place: "timeline", message: "“timeline” is missing." },
    ]);
  });

  test.each(["1", "a/b", "", "constructor", "toString"])("refuses “%s” as an id", (id) => {
    const file = aFile({ statements: { [id]: { text: "SELECT" } }, frequencies: { [id]: 0 } });
    expect(placesOf(file)).toContain(`statements/${id}`);
  });

  test("refuses __proto__ as an id", () => {
    const text = JSON.stringify(aFile()).replaceAll('"q1"', '"__proto__"');
    const read = readDocument(text);
    expect(read.ok ? [] : read.issues.map((issue) => issue.place)).toContain(
      "statements/__proto__",
    );
  });

  test("refuses a storage limit of an unknown kind, and one without its number", () => {
    expect(placesOf(aFile({ settings: { storage: { kind: "pages" } } }))).toEqual([
      "settings/storage/kind",
    ]);
    expect(placesOf(aFile({ settings: { storage: { kind: "bytes" } } }))).toEqual([
      "settings/storage/bytes",
    ]);
  });

  test("refuses a timeline that is too long to draw", () => {
    expect(
      placesOf(aFile({ timeline: { steps: 1e9, stepSeconds: 1 }, frequencies: { q1: 1 } })),
    ).toEqual(["timeline/steps"]);
  });

  test.each([null, 3, "text", [], {}])("refuses %j as a document", (file) => {
    expect(issuesOf(file)).toMatchObject([{ severity: "error", hint: expect.any(String) }]);
  });
});

describe("scenarios in a file", () => {
  test("loads the sample file of version 2, with its scenarios", () => {
    const document = loaded(fixture2);
    expect(document.scenarios).toEqual({
      festival: {
        name: "Festival week",
        counts: { guest: 40_000_000 },
        curves: { hotelsByCity: [200, 800, 900, 700] },
        weights: { book: 3 },
        storage: { kind: "bytes", bytes: 2_000_000_000 },
        restrictions: {},
      },
    });
    expect(writeDocument(document)).toBe(fixture2);
  });

  test("refuses a scenario that overrides what is not there", () => {
    const scenarios = {
      a: { name: "A", counts: { usr: 1 }, weights: { q2: 2 }, curves: { q1: [1] } },
      b: { name: "A" },
    };
    expect(placesOf(aFile({ version: 2, scenarios }))).toEqual([
      "scenarios/a/counts/usr",
      "scenarios/a/weights/q2",
      "scenarios/a/curves/q1",
      "scenarios/b/name",
    ]);
  });
});

describe("fields that are not known", () => {
  test("tells a field that it does not know, and keeps it in its place", () => {
    const file = aFile({
      statements: { q1: { text: "SELECT", lable: "First" } },
      settings: { storage: { kind: "none", since: 1 }, theme: { hue: [1, 2] } },
      colour: "red",
    });
    const read = documentFrom(file);
    if (!read.ok) throw new Error("refused");
    expect(read.warnings).toMatchObject([
      { place: "statements/q1/lable", hint: expect.stringContaining("label, group, text") },
      { place: "settings/storage/since", severity: "warning" },
      { place: "settings/theme" },
      { place: "colour" },
    ]);
    const written = writeDocument(read.value);
    expect(JSON.parse(written)).toMatchObject({
      statements: { q1: { text: "SELECT", lable: "First" } },
      settings: { storage: { kind: "none", since: 1 }, theme: { hue: [1, 2] } },
      colour: "red",
    });
    const again = readDocument(written);
    expect(again.ok && writeDocument(again.value)).toBe(written);
    const moved = setFrequency(read.value, "q1", 0, 7);
    expect(moved.ok && JSON.parse(writeDocument(moved.value))).toMatchObject({
      statements: { q1: { lable: "First" } },
      colour: "red",
    });
  });

  test("tells unknown fields beside what is wrong", () => {
    const file = aFile({ colour: "red", timeline: { steps: 0, stepSeconds: 60 } });
    expect(placesOf(file)).toEqual(expect.arrayContaining(["timeline/steps", "colour"]));
  });
});

describe("writeDocument", () => {
  test("keeps the order of statements", () => {
    const document = loaded(fixture);
    expect(Object.keys(loaded(writeDocument(document)).statements)).toEqual(
      Object.keys(document.statements),
    );
  });

  test("writes the same text however the document's fields are ordered", () => {
    const document = loaded(fixture);
    const { statements, name, ...rest } = document;
    const shuffled: StudioDocument = { ...rest, statements, name };
    expect(writeDocument(shuffled)).toBe(writeDocument(document));
  });

  test("indents by two spaces and keeps a curve on one line", () => {
    const lines = writeDocument(loaded(fixture)).split("\n");
    expect(lines[1]).toBe('  "format": "tidetable",');
    expect(lines).toContain('    "hotelsByCity": [2, 40, 60, 80],');
  });
});
