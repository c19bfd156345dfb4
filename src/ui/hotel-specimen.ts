/**
 * A hand-made problem and answer for tests and specimens only: a hotel over six steps of a day, with
 * schemas that change twice. The figures are plausible, not computed; the product never shows them.
 */
import { type ColumnFamily, columnFamilySize, columnFamilyText } from "#model/column-family.ts";
import { defaultCostModel } from "#model/cost-model.ts";
import { buildEntityGraph } from "#model/entity-drawing.ts";
import type { EntityGraph } from "#model/entity-graph.ts";
import type { GetStep, PlanTreeNode, QueryPlan } from "#model/plan.ts";
import { defaultOptions, type Problem } from "#model/problem.ts";
import type { ColumnReference, QueryGraph } from "#model/query-graph.ts";
import type {
  ChosenUpdate,
  CostBreakdown,
  Migration,
  Recommendation,
  StepAnswer,
} from "#model/recommendation.ts";
import type { Query, Statement, Update } from "#model/statement.ts";

function graphOfHotel(): EntityGraph {
  const built = buildEntityGraph(
    [
      {
        name: "hotel",
        count: 5000,
        identifier: ["id"],
        attributes: [
          { name: "id", type: "uuid" },
          { name: "name", type: "text" },
          { name: "city", type: "text", distinct: 400 },
        ],
      },
      {
        name: "room",
        count: 500_000,
        identifier: ["hotel", "number"],
        attributes: [
          { name: "number", type: "int", distinct: 900 },
          { name: "rate", type: "decimal", distinct: 300 },
        ],
      },
      {
        name: "guest",
        count: 2_000_000,
        identifier: ["id"],
        attributes: [
          { name: "id", type: "uuid" },
          { name: "name", type: "text", distinct: 1_400_000 },
          { name: "email", type: "text" },
        ],
      },
      {
        name: "reservation",
        count: 12_000_000,
        identifier: ["id"],
        attributes: [
          { name: "id", type: "uuid" },
          { name: "start", type: "date", distinct: 730 },
          { name: "nights", type: "int", distinct: 30 },
        ],
      },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "hotel", role: "hotel" },
          { entity: "room", role: "rooms" },
        ],
      },
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "room", role: "room" },
          { entity: "reservation", role: "reservations" },
        ],
      },
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "guest", role: "guest" },
          { entity: "reservation", role: "reservations" },
        ],
      },
    ],
  );
  if (!built.ok) throw new Error(built.issues.map((issue) => issue.message).join(" "));
  return built.value;
}

const entityGraph = graphOfHotel();

/** A chain of entities along the relationships of the hotel, as a query graph. */
function chain(...entities: readonly string[]): QueryGraph {
  return {
    nodes: entities.map((entity) => ({ entity, label: entity })),
    edges: entities.slice(1).map((entity, index) => {
      const previous = entities[index] as string;
      const relationship = entityGraph.relationships.find((each) =>
        each.ends.every((end) => end.entity === entity || end.entity === previous),
      );
      if (!relationship) throw new Error(`${previous} and ${entity} are not related`);
      const forward = relationship.ends[0].entity === previous;
      return {
        relationship: relationship.id,
        parent: forward ? index : index + 1,
        child: forward ? index + 1 : index,
      };
    }),
  };
}

function column(graph: QueryGraph, text: string): ColumnReference {
  const [entity = "", ...rest] = text.split(".");
  return {
    node: graph.nodes.findIndex((node) => node.entity === entity),
    attribute: rest.join("."),
  };
}

function family(
  entities: readonly string[],
  partition: readonly string[],
  clustering: readonly string[],
  values: readonly string[],
): ColumnFamily {
  const graph = chain(...entities);
  const parts = {
    graph,
    partitionKey: partition.map((text) => column(graph, text)),
    clusteringKey: clustering.map((text) => ({
      ...column(graph, text.replace("↓", "")),
      direction: text.endsWith("↓") ? ("desc" as const) : ("asc" as const),
    })),
    values: values.map((text) => column(graph, text)),
  };
  return {
    ...parts,
    key: columnFamilyText(parts),
    size: columnFamilySize(entityGraph, parts, 1),
  };
}

export const families = {
  hotelsByCity: family(["hotel"], ["hotel.city"], ["hotel.id"], ["hotel.name"]),
  arrivals: family(
    ["hotel", "room", "reservation", "guest"],
    ["hotel.id", "reservation.start"],
    ["reservation.id"],
    ["room.number", "guest.name"],
  ),
  arrivalIds: family(
    ["hotel", "room", "reservation"],
    ["hotel.id", "reservation.start"],
    ["reservation.id"],
    [],
  ),
  reservations: family(
    ["room", "reservation", "guest"],
    ["reservation.id"],
    ["guest.id", "room.hotel.id", "room.number"],
    ["reservation.start", "reservation.nights"],
  ),
  guests: family(["guest"], ["guest.id"], [], ["guest.name", "guest.email"]),
  ofGuest: family(
    ["reservation", "guest"],
    ["guest.id"],
    ["reservation.start↓", "reservation.id"],
    ["reservation.nights"],
  ),
} as const;

function query(
  id: string,
  label: string,
  group: string,
  text: string,
  entities: readonly string[],
): Query {
  return {
    id,
    label,
    group,
    kind: "query",
    text,
    graph: chain(...entities),
    select: [],
    predicates: [],
    groupBy: [],
    orderBy: [],
  };
}

const extendStay: Update = {
  id: "u1",
  label: "extend a stay",
  group: "booking",
  kind: "update",
  text: "UPDATE reservation SET nights = ? WHERE reservation.id = ?",
  graph: chain("reservation"),
  target: 0,
  assignments: [{ attribute: "nights", operand: { kind: "parameter" } }],
  predicates: [
    {
      kind: "equal",
      column: { node: 0, attribute: "id" },
      operand: { kind: "parameter" },
    },
  ],
};

const statements: readonly Statement[] = [
  query(
    "q1",
    "hotels of a city",
    "search",
    "SELECT hotel.id, hotel.name FROM hotel WHERE hotel.city = ?",
    ["hotel"],
  ),
  query(
    "q2",
    "arrivals of a day",
    "desk",
    "SELECT room.number, guest.name FROM hotel.rooms.reservations.guest WHERE hotel.id = ? AND reservations.start = ?",
    ["hotel", "room", "reservation", "guest"],
  ),
  query(
    "q3",
    "stays of a guest",
    "booking",
    "SELECT reservations.start, reservations.nights FROM guest.reservations WHERE guest.id = ? ORDER BY reservations.start DESC",
    ["guest", "reservation"],
  ),
  extendStay,
];

export const problem: Problem = {
  name: "Hotel",
  entityGraph,
  statements,
  workload: {
    timeline: { steps: 6, stepSeconds: 4 * 3600 },
    curves: {
      q1: [40, 15, 60, 90, 140, 120],
      q2: [0.5, 0.2, 12, 60, 25, 4],
      q3: [4, 2, 9, 14, 20, 16],
      u1: [60, 45, 10, 4, 8, 40],
    },
  },
  storage: { kind: "bytes", bytes: 3.2e9 },
  costModel: defaultCostModel,
  options: defaultOptions,
};

function get(columnFamily: ColumnFamily, gets: number, rows: number, cost: number): GetStep {
  return {
    kind: "get",
    columnFamily: columnFamily.key,
    embedding: columnFamily.graph.nodes.map((_, index) => index),
    bindings: [],
    selects: columnFamily.values,
    grouped: false,
    aggregated: false,
    joinOn: [],
    gets,
    rows,
    bytesPerRow: 40,
    cost,
  };
}

function plan(statement: string, ...steps: readonly QueryPlan["steps"][number][]): QueryPlan {
  const used = steps.flatMap((step) => (step.kind === "get" ? [step.columnFamily] : []));
  return {
    key: `${statement}: ${used.join(" ⋈ ")}`,
    statement,
    steps,
    columnFamilies: used,
    cost: steps.reduce((sum, step) => sum + step.cost, 0),
  };
}

export const plans = {
  cities: plan("q1", get(families.hotelsByCity, 1, 12.5, 0.93)),
  arrivalsView: plan("q2", get(families.arrivals, 1, 3.3, 0.91)),
  arrivalsJoin: plan(
    "q2",
    get(families.arrivalIds, 1, 3.3, 0.91),
    get(families.reservations, 3.3, 3.3, 1.83),
    get(families.guests, 3.3, 3.3, 1.83),
    { kind: "sort", rows: 3.3, cost: 0.001 },
  ),
  stays: plan("q3", get(families.ofGuest, 1, 6, 0.92)),
  keyOfStay: plan(
    "support: guest.id, reservation.start by reservation.id equal over stays",
    get(families.reservations, 1, 1, 0.91),
  ),
} as const;

/** The plan group of “arrivals of a day” as a tree. */
export const arrivalsTree: readonly PlanTreeNode[] = [
  { columnFamily: families.arrivals.key, children: [], plan: plans.arrivalsView.key },
  {
    columnFamily: families.arrivalIds.key,
    children: [
      {
        columnFamily: families.reservations.key,
        children: [
          { columnFamily: families.guests.key, children: [], plan: plans.arrivalsJoin.key },
        ],
      },
    ],
  },
];

const night = [families.hotelsByCity, families.arrivalIds, families.reservations, families.guests];
const schemas: readonly (readonly ColumnFamily[])[] = [
  [...night, families.ofGuest],
  [...night, families.ofGuest],
  [families.hotelsByCity, families.arrivals, families.guests, families.ofGuest],
  [families.hotelsByCity, families.arrivals, families.guests, families.ofGuest],
  [families.hotelsByCity, families.arrivals, families.guests, families.ofGuest],
  [...night, families.ofGuest],
];

const seconds = problem.workload.timeline.stepSeconds;
const frequencyOf = (statement: string, t: number): number =>
  problem.workload.curves[statement]?.[t] ?? 0;

const migrations: readonly Migration[] = [
  {
    from: 1,
    to: 2,
    builds: [
      {
        columnFamily: families.arrivals.key,
        plan: "m1",
        extract: 720_000,
        load: 1_020_000,
        maintenance: 180_000,
      },
    ],
    drops: [families.arrivalIds.key, families.reservations.key],
  },
  {
    from: 4,
    to: 5,
    builds: [
      {
        columnFamily: families.arrivalIds.key,
        plan: "m2",
        extract: 440_000,
        load: 360_000,
        maintenance: 30_000,
      },
      {
        columnFamily: families.reservations.key,
        plan: "m3",
        extract: 820_000,
        load: 940_000,
        maintenance: 70_000,
      },
    ],
    drops: [families.arrivals.key],
  },
];

/** Extending a stay rewrites it wherever its nights stand; where that is by guest, its key is read first. */
function updatesAt(t: number, schema: readonly ColumnFamily[]): readonly ChosenUpdate[] {
  const executions = frequencyOf("u1", t) * seconds;
  const written = schema.filter((each) =>
    each.values.some(({ attribute }) => attribute === "nights"),
  );
  return written.map((each) => ({
    statement: "u1",
    columnFamily: each.key,
    executions,
    puts: 1,
    deletes: 0,
    cost: executions * 0.6,
    support:
      each === families.ofGuest && schema.includes(families.reservations)
        ? [{ plan: plans.keyOfStay.key, executions, cost: executions * plans.keyOfStay.cost }]
        : [],
  }));
}

function stepCost(t: number, schema: readonly ColumnFamily[]): CostBreakdown {
  const viewed = schema.includes(families.arrivals);
  const migration = migrations.find((each) => each.from === t);
  const sum = (kind: "extract" | "load" | "maintenance"): number =>
    migration?.builds.reduce((total, build) => total + build[kind], 0) ?? 0;
  const updates = updatesAt(t, schema);
  return {
    query:
      seconds *
      (frequencyOf("q1", t) * 0.93 +
        frequencyOf("q2", t) * (viewed ? 0.91 : 4.57) +
        frequencyOf("q3", t) * 0.92),
    update: updates.reduce((sum, each) => sum + each.cost, 0),
    support: updates.flatMap((each) => each.support).reduce((sum, each) => sum + each.cost, 0),
    extract: sum("extract"),
    load: sum("load"),
    maintenance: sum("maintenance"),
  };
}

const steps: readonly StepAnswer[] = schemas.map((schema, step) => ({
  step,
  schema: schema.map((each) => each.key),
  storageBytes: schema.reduce((sum, each) => sum + each.size.bytes, 0),
  updates: updatesAt(step, schema),
  plans: [
    { plan: plans.cities, each: "q1" },
    {
      plan: schema.includes(families.arrivals) ? plans.arrivalsView : plans.arrivalsJoin,
      each: "q2",
    },
    { plan: plans.stays, each: "q3" },
  ].map(({ plan: chosen, each }) => ({
    statement: each,
    plan: chosen.key,
    executions: frequencyOf(each, step) * seconds,
    cost: frequencyOf(each, step) * seconds * chosen.cost,
  })),
  cost: stepCost(step, schema),
}));

const kinds = ["query", "update", "support", "extract", "load", "maintenance"] as const;
const totals = Object.fromEntries(
  kinds.map((kind) => [kind, steps.reduce((sum, step) => sum + step.cost[kind], 0)]),
) as unknown as CostBreakdown;
const objective = kinds.reduce((sum, kind) => sum + totals[kind], 0);
const perStep = steps.map((step) => kinds.reduce((sum, kind) => sum + step.cost[kind], 0));
const scaledBy = (factors: readonly number[]): number[] =>
  perStep.map((value, index) => value * (factors[index] ?? 1));
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const average = scaledBy([1.3, 1.42, 1.05, 1.12, 1.04, 1.22]);
const first = scaledBy([1, 0.8, 1.5, 1.92, 1.4, 1.1]);
const last = scaledBy([1.02, 0.85, 1.52, 1.9, 1.4, 1]);
const ideal = scaledBy([1, 0.74, 0.99, 1, 0.75, 0.99]);

export const recommendation: Recommendation = {
  status: "optimal",
  objective,
  bound: objective * (1 - 4e-5),
  gap: 4e-5,
  seconds: { enumerate: 0.2, plan: 0.6, solve: 3.1, total: 4.2 },
  counts: {
    statements: 4,
    steps: 6,
    proposed: 212,
    candidates: 64,
    pruned: { "same columns, better key": 148 },
    queryPlans: 320,
    prunedPlans: { "dearer with more families": 120 },
    migrationPlans: 410,
    unfillable: 2,
    columns: 6200,
    rows: 8100,
    nonZeros: 31_000,
    nodes: 12,
  },
  storageLimit: 3.2e9,
  steps,
  migrations,
  totals,
  baselines: [
    {
      kind: "static average",
      cost: total(average),
      perStep: average,
      schema: schemas[2]?.map((each) => each.key) ?? [],
      storageBytes: 2.9e9,
      exact: true,
    },
    { kind: "static first step", cost: total(first), perStep: first, exact: true },
    { kind: "static last step", cost: total(last), perStep: last, exact: true },
    { kind: "ideal", cost: total(ideal), perStep: ideal, exact: true },
  ],
  columnFamilies: Object.values(families),
  plans: Object.values(plans),
  migrationPlans: [
    {
      key: "m1",
      builds: families.arrivals.key,
      rule: "join",
      sources: [families.arrivalIds.key, families.reservations.key, families.guests.key],
      extractionCost: 36_000,
      loadCost: 51_000,
    },
    {
      key: "m2",
      builds: families.arrivalIds.key,
      rule: "scan",
      sources: [families.arrivals.key],
      extractionCost: 22_000,
      loadCost: 18_000,
    },
    {
      key: "m3",
      builds: families.reservations.key,
      rule: "join",
      sources: [families.arrivals.key, families.ofGuest.key],
      extractionCost: 41_000,
      loadCost: 47_000,
    },
  ],
  notes: ["Plans have at most 3 Gets."],
};
