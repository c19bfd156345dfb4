/**
 * From tables of Cassandra to entities and a schema by hand. Every table is an entity until a person says
 * that it is another layout of one that is there; that is asked where the columns suggest it. No
 * relationships are invented. The tables themselves, with keys and directions, become the schema by hand,
 * which is compared with the optimum.
 */
import type {
  CqlTable,
  ImportAnswers,
  ImportNote,
  ImportPlan,
  ImportQuestion,
  PlannedEntity,
  ReadCql,
  RenamedPart,
} from "#model/imported-schema.ts";
import { freeName, legalName, renaming } from "./legal-names.ts";
import { assumedCount } from "./plan-schema.ts";

interface NamedTable {
  readonly table: CqlTable;
  readonly entity: string;
  /** Attribute by column; layouts of the entity add theirs. */
  readonly attributes: Map<string, string>;
  readonly taken: Set<string>;
}

interface Layout {
  readonly table: CqlTable;
  /** The entity whose records it holds. */
  readonly of: NamedTable;
}

interface Planning {
  readonly answers: ImportAnswers;
  readonly questions: ImportQuestion[];
  readonly renamed: RenamedPart[];
  readonly notes: ImportNote[];
}

/** The plan under some answers. */
export function planCql({ tables }: ReadCql, answers: ImportAnswers): ImportPlan {
  const planning: Planning = { answers, questions: [], renamed: [], notes: [] };
  const bases = acceptedBases(planning, tables);
  const taken = new Set<string>();
  const own = new Map(
    tables
      .filter(({ id }) => !bases.has(id))
      .map((table) => [table.id, namedTable(planning, table, taken)] as const),
  );
  const layouts = tables.flatMap((table): Layout[] => {
    const of = own.get(bases.get(table.id) ?? table.id);
    return of ? [{ table, of }] : [];
  });
  const entities = [...own.values()].map((each) => entityOf(planning, each, layouts));
  for (const { table } of layouts) noteStatics(planning, table);
  const handMade = layouts.map((layout) => layoutText(planning, layout));
  return {
    entities,
    relationships: [],
    questions: planning.questions,
    renamed: planning.renamed,
    notes: [
      ...planning.notes,
      ...(entities.length > 1
        ? [{ text: "Tables of Cassandra declare no relationships; draw them in the Model room." }]
        : []),
    ],
    handMade,
  };
}

function namedTable(planning: Planning, table: CqlTable, taken: Set<string>): NamedTable {
  const entity = freeName(taken, [
    legalName(table.name, "table"),
    legalName(`${table.keyspace}_${table.name}`, "table"),
  ]);
  planning.renamed.push(...renaming(table.line, "table", table.name, entity));
  const named: NamedTable = { table, entity, attributes: new Map(), taken: new Set() };
  addColumns(planning, named, table);
  return named;
}

function addColumns(planning: Planning, named: NamedTable, table: CqlTable): void {
  for (const { name, line } of table.columns) {
    if (named.attributes.has(name)) continue;
    const attribute = freeName(named.taken, [legalName(name, "column")]);
    planning.renamed.push(...renaming(line, `column of ${named.entity}`, name, attribute));
    named.attributes.set(name, attribute);
  }
}

// ------------------------------------------------------------------------------------------- layouts

/** Tables that are another layout, by a person's word, with the id of the table whose records they hold. */
function acceptedBases(
  planning: Planning,
  tables: readonly CqlTable[],
): ReadonlyMap<string, string> {
  const bases = new Map<string, string>();
  for (const table of tables) {
    // No chains: what others are layouts of stays an entity.
    const isBase = [...bases.values()].includes(table.id);
    const base = tables.find((each) => !bases.has(each.id) && looksLikeLayout(table, each));
    if (!base || isBase) continue;
    const id = `layout/${table.id}`;
    const given = Object.hasOwn(planning.answers, id) ? planning.answers[id] : undefined;
    const answer = given === "layout" ? "layout" : "entity";
    planning.questions.push({
      kind: "layout",
      id,
      line: table.line,
      text: `A guess by its columns: does ${table.name} hold the records of ${base.name} in another order?`,
      options: [
        { value: "entity", words: "No, it is an entity of its own" },
        { value: "layout", words: `Yes, another layout of ${base.name}` },
      ],
      answer,
    });
    if (answer === "layout") bases.set(table.id, base.id);
  }
  return bases;
}

function keyOf({ partitionKey, clusteringKey }: CqlTable): readonly string[] {
  return [...partitionKey, ...clusteringKey.map(({ column }) => column)];
}

/**
 * The table holds the identifier of the other one, and either is looked up by some of its other columns
 * or shares most columns with it. Counters have to stand apart, so they are never guessed to.
 */
function looksLikeLayout(table: CqlTable, base: CqlTable): boolean {
  const [identifier, ...more] = keyOf(base);
  // Of two that would do as each other's layout, the larger one is the entity.
  const isSmaller =
    base.columns.length < table.columns.length ||
    (base.columns.length === table.columns.length && base.line > table.line);
  if (identifier === undefined || more.length > 0 || table === base || isSmaller) return false;
  if (table.columns.some(({ type }) => type === "counter")) return false;
  const shares = (name: string): boolean => {
    const [own, other] = [table, base].map(({ columns }) =>
      columns.find((column) => column.name === name),
    );
    return own !== undefined && own.type === other?.type;
  };
  const key = keyOf(table);
  if (!shares(identifier) || (key.length === 1 && key[0] === identifier)) return false;
  if (!key.includes(identifier)) return key.every(shares);
  const others = table.columns.filter(({ name, isStatic }) => name !== identifier && !isStatic);
  return others.filter(({ name }) => shares(name)).length * 2 > others.length;
}

function noteStatics({ notes }: Planning, { name, columns, line }: CqlTable): void {
  const statics = columns.filter(({ isStatic }) => isStatic).map((column) => column.name);
  if (statics.length > 0)
    notes.push({
      line,
      text: `${statics.join(", ")} of ${name} ${statics.length > 1 ? "are" : "is"} static, stored once in a partition; here each row holds ${statics.length > 1 ? "them" : "it"}, so the table is costed larger than it is.`,
    });
}

// ------------------------------------------------------------------------------------------ entities

function entityOf(
  planning: Planning,
  named: NamedTable,
  layouts: readonly Layout[],
): PlannedEntity {
  const { table, entity, attributes } = named;
  const own = layouts.filter(({ of }) => of === named).map((each) => each.table);
  for (const layout of own) addColumns(planning, named, layout);
  const columns = own.flatMap((each) => each.columns);
  const id = `count/${table.id}`;
  const given = Object.hasOwn(planning.answers, id) ? planning.answers[id] : undefined;
  const answer =
    typeof given === "number" && given >= 1 && Number.isFinite(given) ? given : undefined;
  planning.questions.push({
    kind: "count",
    id,
    entity,
    line: table.line,
    text: `How many records has ${entity}?`,
    assumed: assumedCount,
    answer,
  });
  const note = [
    table.note,
    answer === undefined
      ? `The number of records was not given at import; ${assumedCount} stands for it.`
      : undefined,
  ].filter((text) => text !== undefined);
  return {
    name: entity,
    count: answer ?? assumedCount,
    attributes: [...attributes].map(([column, attribute]) => {
      const found = columns.find(({ name }) => name === column);
      return {
        name: attribute,
        type: found?.type ?? "text",
        ...(found?.bytes !== undefined && { bytes: found.bytes }),
      };
    }),
    identifier: keyOf(table).map((name) => attributes.get(name) ?? name),
    ...(note.length > 0 && { note: note.join("\n") }),
    line: table.line,
  };
}

/** The table as a text of the schema by hand. */
function layoutText({ notes }: Planning, { table, of }: Layout): string {
  const column = (name: string): string => `${of.entity}.${of.attributes.get(name) ?? name}`;
  const key = keyOf(table);
  // Tidetable does not know that a column is unique, so rows are told apart by the identifier.
  const added = keyOf(of.table).filter((name) => !key.includes(name));
  if (added.length > 0)
    notes.push({
      line: table.line,
      text: `${table.name} gets ${added.join(", ")} as last clustering column, which tells its rows apart.`,
    });
  const clustering = [
    ...table.clusteringKey.map(
      ({ column: name, direction }) => `${column(name)}${direction === "desc" ? " desc" : ""}`,
    ),
    ...added.map(column),
  ];
  const values = table.columns
    .map(({ name }) => name)
    .filter((name) => !key.includes(name) && !added.includes(name))
    .map(column);
  const partition = table.partitionKey.map(column).join(", ");
  const arrow = values.length > 0 ? ` -> ${values.join(", ")}` : "";
  return `[${partition}] [${clustering.join(", ")}]${arrow} of ${of.entity}`;
}
