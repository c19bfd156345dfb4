/**
 * Random sequences of updates, carried out on column families by their update plans and on a
 * relational engine as SQL: after each one every family holds exactly what its definition says of the
 * relational data, and every plan of a support query has given the same rows. Now and then a family
 * is built anew by a migration plan while updates go on. In the end the queries are asked.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { compileQuery } from "#engine/compile-query.ts";
import { enumerateColumnFamilies } from "#engine/enumerate-column-families.ts";
import { enumerateMigrationPlans, plansOfPattern } from "#engine/enumerate-migration-plans.ts";
import { enumerateQueryPlans, fullPlan } from "#engine/enumerate-query-plans.ts";
import type { Change } from "#engine/plan-update.ts";
import type { RandomProblem } from "#engine/testing/random-problem.ts";
import type { ColumnFamily } from "#model/column-family.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { MigrationPlan, QueryPlan, UpdatePlan } from "#model/plan.ts";
import type { Problem } from "#model/problem.ts";
import { type Random, randomFrom } from "#model/random.ts";
import { isQuery, type Query } from "#model/statement.ts";
import { fillTables } from "../fill-table.ts";
import { beginLoad, endLoad, type LoadingTable, loadRow } from "../load-table.ts";
import { type Records, valuesText } from "../records.ts";
import { migratedRows, readingsOf, tableDifference } from "../run-migration-plan.ts";
import { type PredicateValues, runQueryPlan } from "../run-query-plan.ts";
import {
  type ChangeValues,
  readUpdate,
  type TableWrites,
  writeUpdate,
} from "../run-update-plan.ts";
import { createTable, loadRows, type Row, scanTable, type Table } from "../table.ts";
import { runPlan } from "./against-oracle.ts";
import { ValueChooser } from "./choose-values.ts";
import { AnswerCheck } from "./compare-answers.ts";
import { sample } from "./every-plan.ts";
import { type Maintained, maintainedFamilies } from "./maintained-families.ts";
import { chooseValues, randomChanges } from "./random-changes.ts";
import { randomData } from "./random-data.ts";
import { randomFamilies } from "./random-families.ts";
import { applyChange, readRecords } from "./relational-changes.ts";
import type { RelationalDatabase, RelationalEngine } from "./relational-oracle.ts";

export interface UpdateCounts {
  /** Models with data and statements. */
  problems: number;
  families: number;
  /** Families drawn or proposed for which some support query had no plan. */
  unmaintained: number;
  /** Carried out on both sides, by kind of statement. */
  insert: number;
  update: number;
  delete: number;
  connect: number;
  disconnect: number;
  /** Drawn, but against the model with the values drawn. */
  refused: number;
  /** Families touched, and those compared whether touched or not. */
  touched: number;
  compared: number;
  puts: number;
  deletes: number;
  /** Executions of plans of support queries. */
  supportPlans: number;
  migrations: number;
  /** Updates that arrived during a load. */
  whileLoading: number;
  queryPlans: number;
}

export const noUpdateCounts = (): UpdateCounts => ({
  problems: 0,
  families: 0,
  unmaintained: 0,
  insert: 0,
  update: 0,
  delete: 0,
  connect: 0,
  disconnect: 0,
  refused: 0,
  touched: 0,
  compared: 0,
  puts: 0,
  deletes: 0,
  supportPlans: 0,
  migrations: 0,
  whileLoading: 0,
  queryPlans: 0,
});

export interface UpdateEffort {
  /** Families of the queries, and such as a person could draw. */
  readonly families: number;
  readonly drawn: number;
  readonly statements: number;
  readonly updates: number;
  /** Plans executed of each support query, and of each query in the end. */
  readonly supportPlans: number;
  readonly queryPlans: number;
  readonly migrations: number;
}

export const usualUpdateEffort: UpdateEffort = {
  families: 6,
  drawn: 4,
  statements: 6,
  updates: 20,
  supportPlans: 2,
  queryPlans: 12,
  migrations: 4,
};

/** What an update must not do, to see whether it is noticed. */
export interface WrongUpdates {
  /** Plans with one thing wrong, instead of a right one. */
  readonly plans: (
    plan: UpdatePlan,
  ) => readonly { readonly name: string; readonly plan: UpdatePlan }[];
  /** Writes with one thing wrong, instead of right ones. */
  readonly writes: (
    writes: TableWrites,
  ) => readonly { readonly name: string; readonly writes: TableWrites }[];
  readonly verdict: (name: string, seen: boolean) => void;
}

/** Throws on the first difference; `wrong` is tried on copies of the tables. */
export function checkUpdates(
  engine: RelationalEngine,
  random: RandomProblem,
  effort: UpdateEffort,
  counts: UpdateCounts,
  wrong?: WrongUpdates,
): void {
  const roll = (index: number): number => random.dice[index % random.dice.length] as number;
  const problem = roll(5) % 2 === 0 ? random.problem : withoutAtLeastOne(random.problem);
  const chance = randomFrom(roll(6));
  const given = problem.statements.filter((each): each is Change => !isQuery(each));
  const changes = [
    ...given.map((each, index) => ({ ...each, id: `given${index}` })),
    ...randomChanges(problem.entityGraph, effort.statements, chance),
  ];
  const wanted = familiesOf(problem, effort, roll(4));
  const maintained = maintainedFamilies(problem, changes, wanted, effort.supportPlans, roll(0));
  counts.unmaintained += wanted.filter(({ key }) => !maintained.families.has(key)).length;
  checkMaintained(engine, { ...random, problem }, maintained, changes, effort, counts, wrong);
}

/** The same with families and plans that are given. */
export function checkMaintained(
  engine: RelationalEngine,
  { problem, dice }: RandomProblem,
  maintained: Maintained,
  changes: readonly Change[],
  effort: UpdateEffort,
  counts: UpdateCounts,
  wrong?: WrongUpdates,
): void {
  const roll = (index: number): number => dice[index % dice.length] as number;
  const { graph, records } = randomData(problem.entityGraph, roll(1), roll(2));
  counts.problems += 1;
  counts.families += maintained.families.size;
  if (changes.length === 0 || maintained.families.size === 0) return;
  const database = engine.load(graph, records);
  const chance = randomFrom(roll(6) + 1);
  const store = new Store(graph, problem, maintained, database, records, chance, counts, wrong);
  for (let index = 0; index < effort.updates; index += 1) store.update(store.drawn(changes));
  for (let index = 0; index < effort.migrations; index += 1) store.migrate(changes);
  store.ask(effort.queryPlans);
  database.close();
}

/** New parents can be inserted only where they need no child. */
function withoutAtLeastOne(problem: Problem): Problem {
  const { entityGraph } = problem;
  return {
    ...problem,
    entityGraph: {
      ...entityGraph,
      relationships: entityGraph.relationships.map((each) => ({ ...each, atLeastOne: false })),
    },
  };
}

function familiesOf(
  { entityGraph, statements, options }: Problem,
  { families, drawn }: UpdateEffort,
  offset: number,
): ColumnFamily[] {
  const queries = statements.filter(isQuery);
  const compiled = queries.map((query) => compileQuery(entityGraph, query));
  const pool = [...enumerateColumnFamilies(entityGraph, compiled, options.sizeFactor).values()];
  return [
    ...sample(pool, families, offset).map(({ columnFamily }) => columnFamily),
    ...randomFamilies(entityGraph, queries, drawn, offset),
  ];
}

/** A statement with values. */
interface Drawn {
  readonly change: Change;
  readonly values: ChangeValues;
}

class Store {
  private readonly entityGraph: EntityGraph;
  private readonly problem: Problem;
  private readonly maintained: Maintained;
  private readonly database: RelationalDatabase;
  private readonly random: Random;
  private readonly counts: UpdateCounts;
  private readonly tables: Map<string, Table>;
  private readonly history: string[] = [];
  private readonly wrong: WrongUpdates | undefined;
  private records: Records;

  constructor(
    entityGraph: EntityGraph,
    problem: Problem,
    maintained: Maintained,
    database: RelationalDatabase,
    records: Records,
    random: Random,
    counts: UpdateCounts,
    wrong: WrongUpdates | undefined,
  ) {
    this.wrong = wrong;
    this.entityGraph = entityGraph;
    this.problem = problem;
    this.maintained = maintained;
    this.database = database;
    this.random = random;
    this.counts = counts;
    this.records = records;
    this.tables = fillTables(records, maintained.families.values());
  }

  drawn(changes: readonly Change[]): Drawn | undefined {
    const change = changes[this.random.below(changes.length)] as Change;
    const values = chooseValues(this.entityGraph, this.records, change, this.random);
    return values && { change, values };
  }

  /** Carries out an update on both sides, also on a table being loaded; false when the model does not allow it. */
  update(drawn: Drawn | undefined, loading?: LoadingTable): boolean {
    if (!drawn) return false;
    const { change, values } = drawn;
    const refused = applyChange(this.database, change, values);
    if (refused !== undefined) {
      this.counts.refused += 1;
      return false;
    }
    this.counts[change.kind] += 1;
    this.history.push(`${change.text}  ${JSON.stringify(values)}`);
    const plans = this.maintained.updatePlans.get(change.id) ?? [];
    try {
      const writes = this.read(plans, values);
      const suspects = this.suspects(plans, values, writes);
      for (const each of writes) this.write(each, loading);
      this.records = readRecords(this.database);
      this.compare();
      for (const { name, table } of suspects)
        this.wrong?.verdict(name, table === undefined || this.isOff(table));
    } catch (error) {
      throw this.complaint(error, JSON.stringify(plans));
    }
    return true;
  }

  private read(plans: readonly UpdatePlan[], values: ChangeValues): TableWrites[] {
    return readUpdate({
      entityGraph: this.entityGraph,
      plans,
      families: this.maintained.families,
      tables: this.tables,
      planFor: (query, asked) => this.agreedPlan(query, asked),
      values,
    });
  }

  /** What wrong plans and writes make of copies of the tables; no table where they are refused. */
  private suspects(
    plans: readonly UpdatePlan[],
    values: ChangeValues,
    right: readonly TableWrites[],
  ): { readonly name: string; readonly table: Table | undefined }[] {
    const { wrong } = this;
    if (!wrong) return [];
    const attempt = (name: string, writes: () => TableWrites | undefined) => {
      try {
        const wrongWrites = writes();
        return { name, table: wrongWrites && this.copyWith(wrongWrites) };
      } catch {
        return { name, table: undefined };
      }
    };
    return [
      ...plans.flatMap((plan) =>
        wrong
          .plans(plan)
          .map((each) => attempt(each.name, () => this.read([each.plan], values)[0])),
      ),
      ...right.flatMap((writes) =>
        wrong.writes(writes).map((each) => attempt(each.name, () => each.writes)),
      ),
    ];
  }

  private copyWith(writes: TableWrites): Table {
    const table = this.tables.get(writes.columnFamily) as Table;
    const copy = createTable(table.columnFamily);
    loadRows(copy, scanTable(table));
    writeUpdate(copy, writes);
    return copy;
  }

  private isOff(table: Table): boolean {
    const right = this.tables.get(table.columnFamily.key) as Table;
    return tableDifference(table, right) !== undefined;
  }

  private write(writes: TableWrites, loading: LoadingTable | undefined): void {
    this.counts.touched += 1;
    this.counts.puts += writes.puts.length;
    this.counts.deletes += writes.deletes.length;
    writeUpdate(this.tables.get(writes.columnFamily) as Table, writes);
    if (loading?.columnFamily.key === writes.columnFamily) writeUpdate(loading, writes);
  }

  /** One of the plans of a support query, all of which have to give the same rows. */
  private agreedPlan(query: Query, values: PredicateValues): QueryPlan | undefined {
    const plans = this.maintained.supportPlans.get(query.id) ?? [];
    const { entityGraph, tables } = this;
    const answers = plans.map((plan) => {
      const { rows } = runQueryPlan({ entityGraph, query, plan, tables, values });
      return rows.map(valuesText).sort().join();
    });
    this.counts.supportPlans += plans.length;
    const other = answers.findIndex((answer) => answer !== answers[0]);
    if (other > 0)
      throw new Error(
        `plans of ${query.id} differ for ${JSON.stringify(values)}:\n${plans[0]?.key}: ${answers[0]}\n${plans[other]?.key}: ${answers[other]}`,
      );
    return plans[this.random.below(plans.length)];
  }

  /** Every family holds the join rows of its graph over the relational data. */
  private compare(): void {
    const expected = fillTables(this.records, this.maintained.families.values());
    for (const [key, table] of this.tables) {
      this.counts.compared += 1;
      const difference = tableDifference(table, expected.get(key) as Table);
      if (difference !== undefined) throw new Error(`${key}: ${difference}`);
    }
  }

  /** Builds a family anew by a migration plan; updates arrive while it is being loaded. */
  migrate(changes: readonly Change[]): void {
    const { compiled } = this.maintained;
    const position = this.random.below(compiled.length);
    const target = compiled[position]?.columnFamily as ColumnFamily;
    const plans = (enumerateMigrationPlans(compiled)[position] ?? []).flatMap(({ slots }) =>
      plansOfPattern(
        compiled,
        position,
        { slots: slots.map((slot) => sample(slot, 4, position)) },
        this.problem.costModel,
      ),
    );
    const plan = plans[this.random.below(plans.length)];
    if (!plan) return;
    const sources = plan.sources.map((key) => this.tables.get(key) as Table);
    const families = sources.map(({ columnFamily }) => columnFamily);
    const readings = readingsOf(this.entityGraph, target, families);
    const reading = readings[this.random.below(readings.length)];
    if (!reading) throw this.complaint(new Error("no sound reading"), plan.key);
    const loading = beginLoad(target);
    this.history.push(`load ${target.key} by ${plan.key}`);
    // Several sources are read as they were when the load began; a single one may be read as it goes.
    const rowsNow = (): Row[] => migratedRows(this.entityGraph, target, sources, reading);
    const before = rowsNow();
    const rounds = 1 + this.random.below(3);
    const keyLength = target.partitionKey.length + target.clusteringKey.length;
    for (let round = 0; round < rounds; round += 1) {
      const part = plan.rule === "scan" ? rowsNow() : before;
      const inRound = (row: Row): boolean => partOf(row.slice(0, keyLength), rounds) === round;
      for (const row of part.filter(inRound)) loadRow(loading, row);
      if (this.update(this.drawn(changes), loading)) this.counts.whileLoading += 1;
    }
    this.finish(loading, plan);
  }

  private finish(loading: LoadingTable, plan: MigrationPlan): void {
    this.counts.migrations += 1;
    const { key } = loading.columnFamily;
    try {
      const loaded = endLoad(loading);
      const difference = tableDifference(loaded, this.tables.get(key) as Table);
      if (difference !== undefined) throw new Error(difference);
      // From now on it is the one that is there.
      this.tables.set(key, loaded);
    } catch (error) {
      throw this.complaint(error, plan.key);
    }
  }

  /** The queries on the tables as they are now. */
  ask(most: number): void {
    const { problem, maintained, tables } = this;
    for (const query of problem.statements.filter(isQuery)) {
      if (query.graph.nodes.some(({ entity }) => !this.records.entities.get(entity)?.length))
        continue;
      const space = enumerateQueryPlans(
        compileQuery(problem.entityGraph, query),
        maintained.compiled,
        problem.costModel,
        { maxGets: 2, dominance: false },
      );
      const values = new ValueChooser(this.records, query, this.random).choose();
      const expected = this.database.answer(query, values);
      const check = new AnswerCheck(query, expected);
      for (const brief of sample(space.plans, most, this.random.below(100))) {
        const plan = fullPlan(space, brief, problem.costModel);
        const trial = { graph: this.entityGraph, query, tables, values, expected, check };
        const { difference } = runPlan(trial, plan);
        this.counts.queryPlans += 1;
        if (difference !== undefined)
          throw this.complaint(new Error(`${query.text}: ${difference}`), plan.key);
      }
    }
  }

  private complaint(error: unknown, plan: string): Error {
    if (!(error instanceof Error)) throw error;
    return new Error([error.message, plan, ...this.history].join("\n"), { cause: error });
  }
}

/** Which of some parts of a load a key falls into. */
function partOf(key: Row, parts: number): number {
  let sum = 0;
  for (const letter of valuesText(key)) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return sum % parts;
}
