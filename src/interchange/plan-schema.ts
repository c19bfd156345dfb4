/**
 * From tables as they were read to entities and relationships. What the file decides is decided: keys,
 * references, one to one where a key says so. What it does not is asked, and until it is answered the
 * cautious choice holds: link tables stay entities, links by name are not drawn. Pure, so that every
 * answer is a new plan.
 *
 * Columns of a foreign key stay attributes and are bound to the parent's identifier, so that keys that
 * share columns keep sharing them. Columns that may be empty cannot be part of a key: the role stands for
 * them then, and they are told.
 */
import type { AttributeDrawing, RelationshipDrawing } from "#model/entity-drawing.ts";
import type {
  ImportAnswers,
  ImportedColumn,
  ImportedReference,
  ImportedTable,
  ImportNote,
  ImportOption,
  ImportPlan,
  ImportQuestion,
  PlannedEntity,
  ReadSchema,
  RenamedPart,
} from "#model/imported-schema.ts";
import { freeName, legalName, renaming } from "./legal-names.ts";
import { linksByName, snake } from "./links-by-name.ts";

/** Records that an entity is taken to have until its number is given. */
export const assumedCount = 1000;

/** A table under the names it gets. */
interface NamedTable {
  readonly table: ImportedTable;
  readonly entity: string;
  /** Attribute by column. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Columns that identify a record. */
  readonly identifier: readonly string[];
  /** What cannot be a role from here any more, in small letters. */
  readonly taken: Set<string>;
}

/** A reference that is drawn. */
interface Link {
  readonly child: NamedTable;
  readonly parent: NamedTable;
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
  readonly optional: boolean;
  readonly line: number;
}

interface Planning {
  readonly answers: ImportAnswers;
  readonly tables: ReadonlyMap<string, NamedTable>;
  readonly questions: ImportQuestion[];
  readonly renamed: RenamedPart[];
  readonly notes: ImportNote[];
}

/** The plan under some answers. */
export function planSchema({ tables }: ReadSchema, answers: ImportAnswers): ImportPlan {
  const renamed: RenamedPart[] = [];
  const notes: ImportNote[] = [];
  const named = namedTables(tables, renamed, notes);
  const planning: Planning = { answers, tables: named, questions: [], renamed, notes };
  const links = [...declaredLinks(planning, tables), ...acceptedGuesses(planning, tables)];
  if (links.length === 0 && tables.length > 1)
    notes.push({ text: "The text declares no relationships; draw them in the Model room." });
  const merged = mergedJunctions(planning, links);
  const counts = countsOf(planning, merged, links);
  const drawn = links.filter(({ child }) => !merged.has(child));
  for (const each of named.values()) freeLeftNames(each, drawn);
  const relationships = [
    ...drawn.map((link) => relationshipOf(planning, link, links)),
    ...[...merged].map(([junction, pair]) => manyToMany(junction, pair, counts)),
  ];
  const entities = [...named.values()]
    .filter((each) => !merged.has(each))
    .map((each) => entityOf(planning, each, drawn, counts));
  notes.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { entities, relationships, questions: planning.questions, renamed, notes };
}

// -------------------------------------------------------------------------------------------- names

function namedTables(
  tables: readonly ImportedTable[],
  renamed: RenamedPart[],
  notes: ImportNote[],
): ReadonlyMap<string, NamedTable> {
  const called = new Map<string, number>();
  for (const { name } of tables) {
    const key = name.toLowerCase();
    called.set(key, (called.get(key) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return new Map(
    tables.map((table) => {
      const plain = legalName(table.name, "table");
      // Where two schemas have a table of the same name, both say which.
      const isShared = (called.get(table.name.toLowerCase()) ?? 0) > 1 && table.qualifier !== "";
      const full = legalName(`${table.qualifier}_${table.name}`, "table");
      const entity = freeName(taken, isShared ? [full] : [plain]);
      renamed.push(...renaming(table.line, "table", table.name, entity));
      return [table.id, namedTable(table, entity, renamed, notes)];
    }),
  );
}

function namedTable(
  table: ImportedTable,
  entity: string,
  renamed: RenamedPart[],
  notes: ImportNote[],
): NamedTable {
  const taken = new Set<string>();
  const attributes = new Map(
    table.columns.map(({ name, line }) => {
      const attribute = freeName(taken, [legalName(name, "column")]);
      renamed.push(...renaming(line, `column of ${entity}`, name, attribute));
      return [name, attribute];
    }),
  );
  return { table, entity, attributes, identifier: identifierOf(table, entity, notes), taken };
}

/** The primary key, or the first key of columns that are never empty. */
function identifierOf(
  { primaryKey, uniqueKeys, columns, line }: ImportedTable,
  entity: string,
  notes: ImportNote[],
): readonly string[] {
  if (primaryKey.length > 0) return primaryKey;
  const key = uniqueKeys.find((names) =>
    names.every((name) => columns.find((column) => column.name === name)?.required),
  );
  notes.push({
    line,
    text: key
      ? `${entity} has no primary key; its unique key ${key.join(", ")} identifies a record.`
      : `${entity} has no primary key; mark in the Model room what identifies a record.`,
  });
  return key ?? [];
}

// -------------------------------------------------------------------------------------------- links

function declaredLinks({ tables }: Planning, read: readonly ImportedTable[]): Link[] {
  const seen = new Set<string>();
  return read.flatMap((table) =>
    table.references.flatMap((reference) => {
      const [child, parent] = [tables.get(table.id), tables.get(reference.parent)];
      const key = JSON.stringify([
        table.id,
        reference.parent,
        reference.columns,
        reference.parentColumns,
      ]);
      // The same key, declared with the column and once more by ALTER TABLE, is one.
      if (!child || !parent || seen.has(key)) return [];
      seen.add(key);
      return [linkOf(child, parent, reference)];
    }),
  );
}

function linkOf(
  child: NamedTable,
  parent: NamedTable,
  { columns, parentColumns, line }: Omit<ImportedReference, "parent">,
): Link {
  const optional = columns.some((name) => !columnOf(child, name)?.required);
  return { child, parent, columns, parentColumns, optional, line };
}

function columnOf({ table }: NamedTable, name: string): ImportedColumn | undefined {
  return table.columns.find((column) => column.name === name);
}

const linkOptions = (zero: boolean): readonly ImportOption[] => [
  { value: "no", words: "No link" },
  { value: "yes", words: zero ? "Link them (0 stands for none)" : "Link them" },
];

/** Links that names suggest, as far as a person says yes. */
function acceptedGuesses(planning: Planning, read: readonly ImportedTable[]): Link[] {
  return linksByName(read).flatMap(({ table, column, parent }) => {
    const [child, target] = [planning.tables.get(table.id), planning.tables.get(parent.id)];
    if (!child || !target) return [];
    const isAccepted = ask(planning, {
      kind: "link by name",
      id: `link/${table.id}.${column.name}`,
      line: column.line,
      text: `A guess by its name: does ${column.name} of ${child.entity} refer to ${target.entity}?`,
      options: linkOptions(column.zeroByDefault),
    });
    if (isAccepted !== "yes") return [];
    const reference = {
      columns: [column.name],
      parentColumns: parent.primaryKey,
      line: column.line,
    };
    const link = linkOf(child, target, reference);
    return [{ ...link, optional: link.optional || column.zeroByDefault }];
  });
}

type Asked = Omit<Extract<ImportQuestion, { options: unknown }>, "answer">;

/** Adds a question; returns the answer given, or the first option. */
function ask({ questions, answers }: Planning, question: Asked): string {
  const given = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
  const { options } = question;
  const answer = (options.find(({ value }) => value === given) ?? options[0])?.value ?? "";
  questions.push({ ...question, answer });
  return answer;
}

// ---------------------------------------------------------------------------------------- junctions

type Pair = readonly [Link, Link];

/** Link tables that a person wants to be a relationship of many to many. */
function mergedJunctions(
  planning: Planning,
  links: readonly Link[],
): ReadonlyMap<NamedTable, Pair> {
  const merged = new Map<NamedTable, Pair>();
  for (const junction of planning.tables.values()) {
    const pair = linkedPair(junction, links);
    if (!pair) continue;
    const others = columnsBeside(junction, pair);
    if (asksJunction(planning, junction, pair, others) !== "merge") continue;
    merged.set(junction, pair);
    if (others.length > 0)
      planning.notes.push({
        line: junction.table.line,
        text: `${junction.entity} became a relationship of many to many; ${others.join(", ")} of it ${others.length > 1 ? "are" : "is"} left out.`,
      });
  }
  return merged;
}

/** The two references of a table that nothing refers to and whose key they are. */
function linkedPair(junction: NamedTable, links: readonly Link[]): Pair | undefined {
  const [first, second, third] = links.filter(({ child }) => child === junction);
  const isReferred = links.some(({ parent }) => parent === junction);
  if (!first || !second || third || isReferred) return undefined;
  const columns = [...first.columns, ...second.columns];
  const areApart = new Set(columns).size === columns.length;
  return areApart && isKey(junction.table, columns) ? [first, second] : undefined;
}

function columnsBeside({ table }: NamedTable, [left, right]: Pair): readonly string[] {
  return table.columns
    .map(({ name }) => name)
    .filter((name) => !left.columns.includes(name) && !right.columns.includes(name))
    .filter((name) => !isSurrogate(table, name));
}

function asksJunction(
  planning: Planning,
  { entity, table }: NamedTable,
  [left, right]: Pair,
  others: readonly string[],
): string {
  const loses = others.length > 0 ? `, without ${others.join(", ")}` : "";
  return ask(planning, {
    kind: "junction",
    id: `junction/${table.id}`,
    line: table.line,
    text: `${entity} links ${left.parent.entity} and ${right.parent.entity}. Is it an entity of its own?`,
    options: [
      { value: "keep", words: "Keep it as an entity" },
      { value: "merge", words: `Make it a many-to-many relationship${loses}` },
    ],
  });
}

/** A key of its own that says nothing: the primary key of one column beside a unique pair. */
function isSurrogate({ primaryKey }: ImportedTable, name: string): boolean {
  return primaryKey.length === 1 && primaryKey[0] === name;
}

/** These columns together are a key of the table. */
function isKey({ primaryKey, uniqueKeys }: ImportedTable, columns: readonly string[]): boolean {
  return [primaryKey, ...uniqueKeys].some(
    (key) => key.length === columns.length && key.every((name) => columns.includes(name)),
  );
}

function manyToMany(
  junction: NamedTable,
  [left, right]: Pair,
  counts: ReadonlyMap<string, number>,
): RelationshipDrawing {
  const roleOf = (link: Link, from: Link): string =>
    freeName(from.parent.taken, [
      ...stemOf(link.columns),
      link.parent.entity,
      `${junction.entity}_${link.parent.entity}`,
    ]);
  const roles = [roleOf(left, right), roleOf(right, left)] as const;
  return {
    multiplicity: "manyToMany",
    ends: [
      { entity: left.parent.entity, role: roles[0] },
      { entity: right.parent.entity, role: roles[1] },
    ],
    links: counts.get(junction.table.id) ?? assumedCount,
  };
}

// ------------------------------------------------------------------------------------------- counts

/** The number that a person gave for a table. */
function givenCount(answers: ImportAnswers, id: string): number | undefined {
  const answer = Object.hasOwn(answers, `count/${id}`) ? answers[`count/${id}`] : undefined;
  return typeof answer === "number" && answer >= 1 && Number.isFinite(answer) ? answer : undefined;
}

/** Records by table, asked for each; of a merged table the number of links. */
function countsOf(
  planning: Planning,
  merged: ReadonlyMap<NamedTable, Pair>,
  links: readonly Link[],
): ReadonlyMap<string, number> {
  const { answers, tables, questions } = planning;
  const given = (id: string): number | undefined => givenCount(answers, id);
  const counts = new Map<string, number>();
  for (const each of tables.values()) {
    const { id, line } = each.table;
    const answer = given(id);
    const parents = (merged.get(each) ?? []).map(({ parent }) => given(parent.table.id));
    // Not more links than pairs, and no more records than the parent of a one-to-one has.
    const single = links.filter(
      (link) => link.child === each && !link.optional && isOneToOne(link),
    );
    const most = [
      ...(parents.length === 2
        ? [(parents[0] ?? assumedCount) * (parents[1] ?? assumedCount)]
        : []),
      ...single.map(({ parent }) => given(parent.table.id) ?? assumedCount),
    ];
    const assumed = Math.min(assumedCount, ...most);
    questions.push({
      kind: "count",
      id: `count/${id}`,
      ...(!merged.has(each) && { entity: each.entity }),
      line,
      text: merged.has(each)
        ? `How many links does ${each.entity} hold?`
        : `How many records has ${each.entity}?`,
      assumed,
      answer,
    });
    counts.set(id, answer ?? assumed);
  }
  return counts;
}

// ------------------------------------------------------------------------------------ relationships

/** A key of the child lies within the columns: a parent has one child at most. */
function isOneToOne({ child, columns }: Link): boolean {
  const { primaryKey, uniqueKeys } = child.table;
  return [primaryKey, ...uniqueKeys].some(
    (key) => key.length > 0 && key.every((name) => columns.includes(name)),
  );
}

function relationshipOf(
  planning: Planning,
  link: Link,
  links: readonly Link[],
): RelationshipDrawing {
  const { child, parent, columns, optional } = link;
  const single = isOneToOne(link) && asksOneToOne(planning, link) === "oneToOne";
  const bind = bindOf(planning, link);
  const siblings = links.filter((each) => each.child === child && each.parent === parent);
  const [column = ""] = columns;
  const wishes = [
    ...stemOf(columns),
    ...(columns.length === 1 ? [column] : []),
    ...(siblings.length === 1 && child !== parent ? [parent.entity] : []),
    ...(columns.length === 1 ? [`${column}_${parent.entity}`] : []),
    parent.entity,
    `${parent.entity}_record`,
  ];
  const parentRole = freeName(
    child.taken,
    wishes.map((wish) => legalName(wish, parent.entity)),
  );
  const qualified = `${child.entity}_${parentRole}`;
  const isPlain = siblings.length === 1 && child !== parent;
  const childRole = freeName(parent.taken, isPlain ? [child.entity, qualified] : [qualified]);
  return {
    multiplicity: single ? "oneToOne" : "oneToMany",
    ends: [
      { entity: parent.entity, role: parentRole },
      { entity: child.entity, role: childRole },
    ],
    ...(optional && { optional }),
    ...(bind && { bind }),
  };
}

function asksOneToOne(planning: Planning, { child, parent, columns, line }: Link): string {
  return ask(planning, {
    kind: "one to one",
    id: `one to one/${child.table.id}.${columns.join(",")}`,
    line,
    text: `A key says that each ${parent.entity} has one ${child.entity} at most (by ${columns.join(", ")}).`,
    options: [
      { value: "oneToOne", words: "One to one" },
      { value: "oneToMany", words: "One to many all the same" },
    ],
  });
}

/** Which attribute holds which part of the parent's identifier; nothing where none is held. */
function bindOf(
  { notes }: Planning,
  { child, parent, columns, parentColumns, optional, line }: Link,
): Readonly<Record<string, string>> | undefined {
  if (optional) return undefined;
  const isIdentifier =
    parent.identifier.length === parentColumns.length &&
    parent.identifier.every((name) => parentColumns.includes(name));
  if (!isIdentifier) {
    notes.push({
      line,
      text: `${columns.join(", ")} of ${child.entity} refers to ${parentColumns.join(", ")} of ${parent.entity}, which is not its identifier; the relationship is drawn, and the columns stay beside it.`,
    });
    return undefined;
  }
  return Object.fromEntries(
    columns.map((name, index) => [
      child.attributes.get(name) ?? name,
      parent.attributes.get(parentColumns[index] ?? "") ?? "",
    ]),
  );
}

/** `customer` of customer_id, `shipTo` of shipToId; nothing where no ending says that it is a key. */
function stemOf(columns: readonly string[]): readonly string[] {
  const [column] = columns;
  if (column === undefined || columns.length > 1) return [];
  const stem = column.replace(
    /(?:_(?:id|uuid|fk|ref|no|code)|(?<=\p{Ll})(?:Id|ID|Uuid|UUID))$/iu,
    (ending) => (/^_/.test(ending) || /^[A-Z]/.test(ending) ? "" : ending),
  );
  return stem === "" || snake(stem) === snake(column) ? [] : [stem];
}

// ----------------------------------------------------------------------------------------- entities

function entityOf(
  { answers, notes }: Planning,
  each: NamedTable,
  links: readonly Link[],
  counts: ReadonlyMap<string, number>,
): PlannedEntity {
  const { table, entity, attributes, identifier } = each;
  const own = links.filter(({ child }) => child === each);
  const left = leftColumns(each, links);
  for (const { name, line } of left)
    notes.push({
      line,
      text: `${name} of ${entity} may be empty, so it is no attribute: its relationship with ${own.find(({ columns }) => columns.includes(name))?.parent.entity ?? "the parent"} is walked instead.`,
    });
  const count = counts.get(table.id) ?? assumedCount;
  const note = [
    table.note,
    givenCount(answers, table.id) !== undefined
      ? undefined
      : `The number of records was not given at import; ${count} stands for it.`,
  ].filter((text) => text !== undefined);
  return {
    name: entity,
    count,
    attributes: table.columns
      .filter((column) => !left.includes(column))
      .map((column) =>
        attributeOf(column, attributes.get(column.name) ?? column.name, own, counts),
      ),
    identifier: identifier.map((name) => attributes.get(name) ?? name),
    ...(note.length > 0 && { note: note.join("\n") }),
    line: table.line,
  };
}

/** Columns that a role stands for: they only serve optional links and identify nothing. */
function leftColumns(each: NamedTable, links: readonly Link[]): readonly ImportedColumn[] {
  const own = links.filter(({ child }) => child === each);
  return each.table.columns.filter(
    ({ name }) => isHeldByRole(name, own) && !each.identifier.includes(name),
  );
}

/** Names of columns that are no attributes may become roles. */
function freeLeftNames(each: NamedTable, links: readonly Link[]): void {
  for (const { name } of leftColumns(each, links))
    each.taken.delete((each.attributes.get(name) ?? name).toLowerCase());
}

/** The column only serves optional links. */
function isHeldByRole(name: string, links: readonly Link[]): boolean {
  const serving = links.filter(({ columns }) => columns.includes(name));
  return serving.length > 0 && serving.every(({ optional }) => optional);
}

function attributeOf(
  { name, type, bytes }: ImportedColumn,
  attribute: string,
  links: readonly Link[],
  counts: ReadonlyMap<string, number>,
): AttributeDrawing {
  const link = links.find(({ columns }) => columns.length === 1 && columns[0] === name);
  const parents = link && counts.get(link.parent.table.id);
  const own = link && counts.get(link.child.table.id);
  // Not more different values than parents; where there are fewer records, the default says the same.
  const distinct =
    parents !== undefined && own !== undefined && parents < own ? parents : undefined;
  return {
    name: attribute,
    type,
    ...(bytes !== undefined && { bytes }),
    ...(distinct !== undefined && { distinct }),
  };
}
