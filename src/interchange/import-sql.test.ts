/** Dumps of several tools, hostile texts, and random schemas printed in a dialect and read back. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importedDocument } from "#document/import-commands.ts";
import { readDocument, writeDocument } from "#document/read.ts";
import { entityGraphOf } from "#document/to-problem.ts";
import type { ReadSchema, SqlDialect } from "#model/imported-schema.ts";
import { importSql, mostSqlCharacters } from "./import-sql.ts";
import { planSchema } from "./plan-schema.ts";
import { openSqlParser } from "./sql-parser.ts";
import { schemaReport } from "./testing/schema-report.ts";

async function read(text: string, dialect?: SqlDialect): Promise<ReadSchema> {
  const result = await importSql(text, dialect ? { dialect } : {});
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

describe("dumps", () => {
  test.each([
    "library-pg-dump",
    "school-mysqldump",
    "notes-sqlite",
    "clinic-phpmyadmin",
    "forum-quoted",
    "stores-by-hand",
    "payroll-sqlserver",
  ])("%s: tables, links and skipped lines", async (name) => {
    const text = readFileSync(`${import.meta.dirname}/fixtures/${name}.sql`, "utf8");
    const schema = await read(text);
    const plan = planSchema(schema, {});
    await expect(schemaReport(schema, plan)).toMatchFileSnapshot(`fixtures/${name}.expected.txt`);
    // Whatever was odd in the file, the document can be saved, opened again and drawn.
    const document = importedDocument(name, plan);
    expect(readDocument(writeDocument(document))).toMatchObject({ ok: true, value: document });
    const graph = entityGraphOf(document);
    expect(graph.ok ? [] : graph.issues).toEqual([]);
  });

  test("lines do not change with the line ends of Windows", async () => {
    const text = readFileSync(`${import.meta.dirname}/fixtures/school-mysqldump.sql`, "utf8");
    const windows = await read(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
    const unix = await read(text);
    expect(windows.tables).toEqual(unix.tables);
    expect(windows.skipped.map(({ line }) => line)).toEqual(unix.skipped.map(({ line }) => line));
  });
});

describe("answers", () => {
  const text = `create table a (id int primary key);
    create table b (id int primary key, a_id int not null unique references a);
    create table ab (a_id int references a, b_id int references b, primary key (a_id, b_id));`;

  test("a one to one may be taken as one to many", async () => {
    const schema = await read(text);
    const id = "one to one/b.a_id";
    expect(planSchema(schema, {}).relationships[0]?.multiplicity).toBe("oneToOne");
    expect(planSchema(schema, { [id]: "oneToMany" }).relationships[0]?.multiplicity).toBe(
      "oneToMany",
    );
  });

  test("numbers of records are taken over, and what is no answer is none", async () => {
    const schema = await read(text);
    const plan = planSchema(schema, {
      "count/a": 20,
      "count/b": -4,
      "count/ab": Number.NaN,
      "junction/ab": "perhaps",
      toString: "merge",
    });
    expect(plan.entities.map(({ count }) => count)).toEqual([20, 20, 1000]);
    expect(plan.entities[0]?.note).toBeUndefined();
    expect(plan.entities[2]?.note).toContain("1000 stands for it");
  });

  test("a merged link table holds no more links than there are pairs", async () => {
    const schema = await read(text);
    const plan = planSchema(schema, { "junction/ab": "merge", "count/a": 3, "count/b": 2 });
    const links = plan.relationships.find(({ multiplicity }) => multiplicity === "manyToMany");
    expect(links?.links).toBe(6);
    expect(plan.entities.map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("hostile texts", () => {
  test("too long a text is refused in words", async () => {
    const result = await importSql(" ".repeat(mostSqlCharacters + 1));
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? "" : result.issues[0]?.hint).toContain("--schema-only");
  });

  test.each<[string, string]>([
    ["deep nesting", `create table t (id int primary key, x int default ${"(".repeat(20_000)}1`],
    [
      "closed deep nesting",
      `create table t (id int primary key, x int check ${"(".repeat(5000)}1${")".repeat(5000)});`,
    ],
    ["quotes that never end", `create table t (id int primary key);${`'"`.repeat(9999)}`],
    ["comments that never end", `create table t (id int primary key);${"/*".repeat(20_000)}`],
    ["dollars that never end", `create table t (id int primary key);${" $a$ $b$".repeat(5000)}`],
    [
      "blocks that never end",
      `create function f() ${"begin case ".repeat(9999)};\ncreate table t (id int primary key);`,
    ],
    [
      "a long row",
      `insert into t values ${"(1, 'a;b'),".repeat(20_000)};create table t (id int primary key);`,
    ],
    ["nothing but signs", `create table t (id int primary key);\n${"\\;,.)(".repeat(9999)}`],
  ])("%s do not hang and do not hide the table", async (_, text) => {
    const schema = await read(text);
    expect(schema.tables.map(({ name }) => name)).toEqual(["t"]);
  });

  test("a text of another kind gives no table and an account", async () => {
    const schema = await read("<html><script>alert(1)</script></html>");
    expect(schema.tables).toEqual([]);
    expect(schema.skipped).toHaveLength(1);
  });

  test("names of every object's properties and script in names are names", async () => {
    const schema = await read(
      'create table "__proto__" ("constructor" int primary key, "<img onerror=x>" text); create table "toString" ("__proto__" int primary key references "__proto__");',
    );
    const plan = planSchema(schema, {});
    const document = importedDocument("x", plan);
    expect(Object.keys(document.entities)).toEqual(["__proto___", "toString_"]);
    expect(document.entities["__proto___"]?.attributes.map(({ name }) => name)).toEqual([
      "constructor_",
      "_img onerror_x_",
    ]);
    expect(Object.getPrototypeOf(document.entities)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["constructor_"]).toBeUndefined();
    expect(entityGraphOf(document).ok).toBe(true);
  });

  test("a flood of skipped statements is counted, not forgotten", async () => {
    const text = Array.from(
      { length: 3000 },
      (_, n) => `create view v${n} as select 1;\nset x = ${n};`,
    );
    const { skipped } = await read(text.join("\n"));
    expect(skipped.length).toBe(1001);
    expect(skipped.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
    expect(skipped.at(-1)?.lastLine).toBe(6000);
  });
});

// ------------------------------------------------------------------------------------- random schemas

interface RandomColumn {
  readonly name: string;
  readonly sqlType: string;
  readonly required: boolean;
}

interface RandomTable {
  readonly name: string;
  readonly columns: readonly RandomColumn[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly references: readonly {
    readonly columns: readonly string[];
    readonly parent: string;
    readonly parentColumns: readonly string[];
  }[];
}

const types = {
  postgres: [
    "integer",
    "bigint",
    "text",
    "character varying(30)",
    "timestamp with time zone",
    "numeric(10,2)",
    "boolean",
    "uuid",
  ],
  mysql: [
    "int",
    "bigint unsigned",
    "text",
    "varchar(30)",
    "datetime",
    "decimal(10,2)",
    "tinyint(1)",
    "enum('a','b;c')",
  ],
  sqlite: ["INTEGER", "TEXT", "REAL", "NUMERIC"],
  sqlserver: [
    "int",
    "bigint",
    "nvarchar(30)",
    "datetime2",
    "decimal(10,2)",
    "bit",
    "uniqueidentifier",
  ],
} as const satisfies Record<SqlDialect, readonly string[]>;

/** Names with what has to be quoted in them; no two differ in capitals alone. */
const names = ["id", "Name", "order", "key", "first name", "größe", "x1", "a;b", "it's", "--no"];

function randomTable(dialect: SqlDialect, index: number): fc.Arbitrary<RandomTable> {
  return fc
    .record({
      columns: fc.uniqueArray(
        fc.record({
          name: fc.constantFrom(...names),
          sqlType: fc.constantFrom(...types[dialect]),
          required: fc.boolean(),
        }),
        { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
      ),
      keySize: fc.integer({ min: 1, max: 2 }),
      isUnique: fc.boolean(),
      parent: fc.integer({ min: 0, max: 3 }),
      links: fc.boolean(),
    })
    .map(({ columns, keySize, isUnique, parent, links }) => {
      const primaryKey = columns.slice(0, keySize).map(({ name }) => name);
      const held = { name: `p${parent}`, sqlType: types[dialect][0], required: isUnique };
      return {
        name: `Table ${index}`,
        columns: [
          ...columns.map((each) => ({
            ...each,
            required: each.required || primaryKey.includes(each.name),
          })),
          ...(links ? [held] : []),
        ],
        primaryKey,
        uniqueKeys: isUnique && columns.length > keySize ? [[columns.at(-1)?.name ?? ""]] : [],
        references: links
          ? [{ columns: [held.name], parent: `Table ${parent}`, parentColumns: ["hub"] }]
          : [],
      };
    });
}

/** Every table gets a column `hub`, to which references point. */
function randomSchema(dialect: SqlDialect): fc.Arbitrary<readonly RandomTable[]> {
  return fc.tuple(...[0, 1, 2, 3].map((index) => randomTable(dialect, index))).map((tables) =>
    tables.map((table) => ({
      ...table,
      columns: [...table.columns, { name: "hub", sqlType: types[dialect][0], required: true }],
    })),
  );
}

/** How a dialect quotes, and whether keys are declared by ALTER TABLE. */
function printed(dialect: SqlDialect, tables: readonly RandomTable[], late: boolean): string {
  const marks = { postgres: '""', mysql: "``", sqlite: '""', sqlserver: "[]" }[dialect];
  const quoted = (name: string) => `${marks[0]}${name}${marks[1]}`;
  const list = (columns: readonly string[]) => `(${columns.map(quoted).join(", ")})`;
  const end = dialect === "sqlserver" ? "\nGO\n" : ";\n";
  const keys = ({ primaryKey, uniqueKeys, references }: RandomTable) => [
    `PRIMARY KEY ${list(primaryKey)}`,
    ...uniqueKeys.map((key) => `CONSTRAINT u UNIQUE ${list(key)}`),
    ...references.map(
      ({ columns, parent, parentColumns }) =>
        `CONSTRAINT f FOREIGN KEY ${list(columns)} REFERENCES ${quoted(parent)} ${list(parentColumns)} ON DELETE CASCADE`,
    ),
  ];
  const create = tables.map((table) => {
    const columns = table.columns.map(
      ({ name, sqlType, required }) =>
        `  ${quoted(name)} ${sqlType}${required ? " NOT NULL" : ""} /* ; ' */`,
    );
    return `CREATE TABLE ${quoted(table.name)} (\n${[...columns, ...(late ? [] : keys(table))].join(",\n")}\n)${end}`;
  });
  const alter = late
    ? tables.flatMap((table) =>
        keys(table).map((key) => `ALTER TABLE ${quoted(table.name)} ADD ${key}${end}`),
      )
    : [];
  return [...create, ...alter].join("-- don't\n");
}

describe("random schemas", () => {
  test.each(["postgres", "mysql", "sqlite", "sqlserver"] as const)(
    "printed for %s and read back are the same",
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(randomSchema(dialect), fc.boolean(), async (tables, late) => {
          const schema = await read(printed(dialect, tables, late), dialect);
          expect(schema.skipped).toEqual([]);
          expect(
            schema.tables.map(({ name, columns, primaryKey, uniqueKeys, references }) => ({
              name,
              columns: columns.map((each) => ({
                name: each.name,
                sqlType: each.sqlType,
                required: each.required,
              })),
              primaryKey,
              uniqueKeys,
              references: references.map(({ line: _, ...reference }) => reference),
            })),
          ).toEqual(tables);
          // The grammar and the tolerant reader never differ.
          expect(schema.notes.filter(({ text }) => text.includes("differently"))).toEqual([]);
        }),
        { numRuns: 15 },
      );
    },
  );

  test("the grammar does read what it should, and is not always passed over", async () => {
    for (const dialect of ["postgres", "mysql", "sqlite", "sqlserver"] as const) {
      const parse = await openSqlParser(dialect);
      expect(parse("CREATE TABLE t (id int NOT NULL, a int, PRIMARY KEY (id))")).toMatchObject({
        ok: true,
        parts: { primaryKey: ["id"], columns: [{ name: "id", required: true }, { name: "a" }] },
      });
    }
  });
});
