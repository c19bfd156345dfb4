/**
 * All plans of one query as one small graph whose paths they are (engine.md §4, §5).
 *
 * A workload offers thousands of families and a query tens of millions of plans, but few of them
 * differ to the query. Families that it cannot tell apart (same records, same key as far as a Get can
 * bind or order by it, same columns as far as the query cares) form a **class**. What can follow after
 * some Gets depends on what is reached only: records, known values, conditions. So a node stands for
 * everything that reaches the same, an arc for a Get on a class, and a path from the root is a plan
 * for every choice of one family per class. This is the paper's plan tree with equal subtrees shared
 * and interchangeable families joined; nothing is left out.
 *
 * A Get may bind a value that the query itself does not care for, if an earlier Get happens to deliver
 * it. Such arcs hang on nodes of their own that require the value , so that
 * they cost the others nothing.
 *
 * Costs: an arc bears the cost of its Get. What a later Get needs of an earlier one (`needs`: keys and
 * join columns) makes the rows of the earlier one wider; that is added along the path.
 */
import type { CostModel } from "#model/cost-model.ts";
import {
  type ColumnSet,
  classesOf,
  has,
  type NodeSet,
  setOf,
  withKnownParents,
  withMandatoryParents,
} from "./column-classes.ts";
import { type ColumnBits, type ColumnSets, PairMemory } from "./column-sets.ts";
import type { CompiledQuery } from "./compile-query.ts";
import { getCost, groupCost, sortCost } from "./cost-model.ts";
import {
  cheapestKey,
  expectedGroups,
  figuresOfKeys,
  getFigures,
  mayLimit,
  planCost,
  rowsReached,
} from "./estimate-costs.ts";
import { FamilyClasses, type Kind, type Shape } from "./family-classes.ts";
import { identifyOverlap, legalGet, nothing, type Reached, rightGet } from "./get-step.ts";
import type { Laid } from "./lay-column-family.ts";

/** Laid families that the query cannot tell apart where they stand. */
export interface FamilyClass {
  /** Positions in `PlanGraph.laid`, ascending. */
  readonly laid: readonly number[];
  /** Classes whose families include all of these, this one among them. */
  readonly within: readonly number[];
}

/** Nodes are numbered so that arcs lead to smaller numbers; the root is the last. */
export interface PlanGraph {
  readonly query: CompiledQuery;
  readonly laid: readonly Laid[];
  readonly classes: readonly FamilyClass[];
  readonly nodes: readonly PlanNode[];
  /** Arcs of node i stand from `starts[i]` up to `starts[i + 1]` in the following arrays. */
  readonly starts: Int32Array;
  readonly classOf: Int32Array;
  /** Milliseconds per execution. */
  readonly cost: Float64Array;
  /** Milliseconds per execution and byte by which a row of the Get gets wider. */
  readonly perByte: Float64Array;
  /** Node after the Get; −1 where the plan is complete. */
  readonly next: Int32Array;
  /** Columns (set id) that the Get could deliver beside those it has to. */
  readonly spare: Int32Array;
  /** Columns (set id) that earlier Gets must deliver. */
  readonly needs: Int32Array;
  readonly sets: ColumnSets;
  /** Key columns beyond those that can be told apart (see `FamilyClasses.unheard`); 0 as a rule. */
  readonly unheard: number;
  /** Paths met so far by their arcs: each is made once, so that it can stand for itself. */
  readonly paths: Map<string, PlanPath>;
}

/** A plan for every choice of one family per class. */
export interface PlanPath {
  /** Arcs from the root on. */
  readonly arcs: readonly number[];
  /** Classes of the Gets in order. */
  readonly classes: readonly number[];
  /** Milliseconds per execution. */
  readonly cost: number;
}

/** What is reached at a node, of the columns that matter there. */
export interface PlanNode {
  readonly reached: Reached;
  /** Gets made. */
  readonly depth: number;
}

export interface GraphLimits {
  readonly maxGets: number;
  /** Families (positions) that stand in classes of their own, since a pin or ban tells them apart. */
  readonly apart?: ReadonlySet<number>;
}

/** `familyOf[i]` is the family (position in the candidate list) of `laid[i]`. */
export function buildPlanGraph(
  query: CompiledQuery,
  laid: readonly Laid[],
  familyOf: readonly number[],
  model: CostModel,
  limits: GraphLimits,
): PlanGraph {
  return new GraphBuilder(query, laid, familyOf, model, limits).build();
}

// ---------------------------------------------------------------------------------------- parts

/** What of the reached decides about later Gets; several nodes may share it. */
interface Core {
  readonly reached: Reached;
  readonly known: number;
  /** Key columns (bits) to which the statement gives a value. */
  readonly given: number;
  /** Expected rows so far. */
  readonly rows: number;
  /** By `Shape.reach`: what a Get leads to; null where it cannot be joined. */
  readonly steps: (Step | null | undefined)[];
}

/** Where a right Get leads, however its key is bound. */
interface Step {
  /** Bits of the columns joined on. */
  readonly joinOn: number;
  readonly nodes: NodeSet;
  readonly applied: number;
  /** Figures by what is bound: fetched columns (bits), then conditions (bits). */
  readonly figures: PairMemory<Figures>;
}

interface Figures {
  readonly gets: number;
  readonly rows: number;
}

interface Arc {
  readonly kind: Kind;
  readonly cost: number;
  readonly rows: number;
  readonly spare: number;
  readonly needs: number;
  readonly next: Building | undefined;
}

/** A node under construction. */
interface Building {
  readonly core: Core;
  /** Columns known (set id). */
  readonly known: number;
  readonly depth: number;
  /** The first Get returned rows in the query's order. */
  readonly ordered: boolean;
  /** The first Get was given the query's limit, so nothing later may drop or repeat rows. */
  readonly limitedTo: number | undefined;
  /** Values beside the query's that the first Get must deliver and the second binds; 0n for none. */
  readonly beside: ColumnSet;
  readonly arcs: Arc[];
}

/** Instead of a bit. */
const none = -1;

/** A right Get on a shape: what it binds, joins on and reaches. */
interface Outcome {
  readonly gets: number;
  readonly rows: number;
  /** Bits of the key columns bound to fetched values, and of those joined on. */
  readonly fetched: number;
  readonly joinOn: number;
  readonly residual: number;
  readonly nodes: NodeSet;
  readonly applied: number;
  readonly ordered: boolean;
  readonly mayLimit: boolean;
}

class GraphBuilder {
  private readonly query: CompiledQuery;
  private readonly classes: FamilyClasses;
  private readonly model: CostModel;
  private readonly maxGets: number;
  private readonly sets: ColumnSets;
  private readonly bits: ColumnBits;
  /** Columns of the answer, and all that the query cares for (set ids). */
  private readonly output: number;
  private readonly relevantColumns: number;
  private readonly cores = new Map<string, Core>();
  private readonly buildings: Building[] = [];
  private readonly expanded = new Set<Building>();
  /** Bits of columns bound by `=`, and by a list as long as it has not been applied. */
  private readonly equal: number;
  private readonly lists: number;
  /** Predicate (bit) on each column bit; 0 for none. */
  private readonly bindingOn: readonly number[];
  private readonly rangeOn: readonly number[];
  private readonly parents = new Map<NodeSet, NodeSet>();
  private readonly wanted = new Map<number, number>();
  private readonly columnsOf = new Map<number, number>();
  private readonly applicationCosts = new Map<string, number>();
  private readonly layers = new PairMemory<PairMemory<Building>>();
  private readonly places = new PairMemory<number>();
  private placeCount = 0;

  constructor(
    query: CompiledQuery,
    laid: readonly Laid[],
    familyOf: readonly number[],
    model: CostModel,
    { maxGets, apart }: GraphLimits,
  ) {
    this.query = query;
    this.classes = new FamilyClasses(
      query,
      laid,
      familyOf,
      model.bytesOf === "wholeRow",
      apart ?? new Set(),
    );
    this.model = model;
    this.maxGets = maxGets;
    this.sets = this.classes.sets;
    this.bits = this.classes.bits;
    this.output = this.sets.idOf(query.output & ~1n);
    this.relevantColumns = this.sets.idOf(this.classes.relevant & ~1n);
    // Of two conditions on equal columns one binds the key.
    const ofKind = (kind: "equal" | "in"): number =>
      [...query.equalOn.values()].reduce(
        (mask, each) => (each.kind === kind ? mask | (1 << this.bits.bit(each.class)) : mask),
        0,
      );
    this.equal = ofKind("equal");
    this.lists = ofKind("in");
    const onBit = (of: CompiledQuery["equalOn"]): number[] =>
      classBits(this.bits, (id) => of.get(id)?.bit ?? 0);
    this.bindingOn = onBit(query.equalOn);
    this.rangeOn = onBit(query.rangeOn);
  }

  build(): PlanGraph {
    const core: Core = { reached: nothing, known: 0, given: 0, rows: 0, steps: [] };
    const root: Building = {
      core,
      known: 0,
      depth: 0,
      ordered: false,
      limitedTo: undefined,
      beside: 0n,
      arcs: [],
    };
    this.expand(root);
    this.expandAll();
    this.bindBeside(root);
    this.expandAll();
    return this.finish(root);
  }

  // --- arcs -------------------------------------------------------------------------------------

  private expandAll(): void {
    // A list visits what is added to it while it is walked.
    for (const building of this.buildings) this.expand(building);
  }

  private expand(building: Building): void {
    if (building.beside !== 0n || this.expanded.has(building)) return;
    this.expanded.add(building);
    for (const kind of this.classes.plain) {
      if (building.depth >= 2 && !kind.shape.isLookup) continue;
      const outcome = this.outcomeOf(building, kind);
      const arc = outcome && this.arcOf(building, kind, outcome, building.limitedTo);
      if (arc) building.arcs.push(arc);
      // A first Get that may be given the limit, for plans in which nothing later changes the rows.
      if (!outcome?.mayLimit || !arc?.next) continue;
      const limited = this.arcOf(building, kind, outcome, this.query.limit);
      if (limited) building.arcs.push(limited);
    }
  }

  private arcOf(
    building: Building,
    kind: Kind,
    outcome: Outcome,
    limitedTo: number | undefined,
  ): Arc | undefined {
    const { model, sets } = this;
    const { core, depth } = building;
    const { nodes, applied, fetched, joinOn } = outcome;
    const isSame = nodes === core.reached.nodes && applied === core.reached.applied;
    const gains = depth === 0 || !isSame || !sets.isWithin(kind.output, building.known);
    if (!gains || !this.mayFollow(building, outcome)) return undefined;
    const known = sets.union(building.known, kind.columns);
    const complete = this.isComplete(outcome, known);
    if (!complete && depth + 1 >= this.maxGets) return undefined;
    const fresh = sets.difference(kind.columns, building.known);
    const joined = this.columnsAt(joinOn & ~fetched & kind.shape.columns);
    const selects = sets.union(sets.intersection(fresh, this.wantedWith(outcome.residual)), joined);
    const wholeRow = model.bytesOf === "wholeRow";
    const bytes = wholeRow ? kind.shape.laid.rowBytes : sets.bytes(selects);
    const rows = Math.min(outcome.rows, depth === 0 ? (limitedTo ?? outcome.rows) : outcome.rows);
    const ordered = depth === 0 ? outcome.ordered : building.ordered;
    let cost = getCost(model, outcome.gets, rows, bytes);
    if (complete && depth === 0) cost = this.singleCost(kind);
    else if (complete) cost += this.applicationCost(outcome, ordered, limitedTo);
    return {
      kind,
      cost,
      rows: wholeRow ? 0 : rows,
      spare: sets.difference(fresh, selects),
      needs: this.columnsAt(fetched | joinOn),
      next: complete ? undefined : this.nextOf(building, outcome, known, ordered, limitedTo),
    };
  }

  /** `isComplete` of `get-step.ts` with the known columns by number. */
  private isComplete({ nodes, applied }: Outcome, known: number): boolean {
    const { allPredicates, compiled } = this.query;
    return (
      applied === allPredicates &&
      this.sets.isWithin(this.output, known) &&
      this.withParents(nodes) === compiled.allNodes
    );
  }

  private nextOf(
    { depth, beside }: Building,
    { nodes, applied }: Outcome,
    known: number,
    ordered: boolean,
    limitedTo: number | undefined,
  ): Building {
    // What a value beside the query's was bound for is done.
    const kept = beside === 0n ? known : this.sets.intersection(known, this.relevantColumns);
    const layer = { depth: depth + 1, ordered, limitedTo, beside: 0n };
    return this.buildingOf(nodes, applied, kept, layer);
  }

  private columnsAt(bits: number): number {
    let id = this.columnsOf.get(bits);
    if (id === undefined) {
      id = this.sets.idOf(this.bits.set(bits));
      this.columnsOf.set(bits, id);
    }
    return id;
  }

  /** Columns (set id) that a Get asks for on account of the answer and of the filter after it. */
  private wantedWith(residual: number): number {
    let id = this.wanted.get(residual);
    if (id === undefined) {
      const filtered = this.query.predicates.flatMap(({ bit, class: each }) =>
        (residual & bit) !== 0 ? [each] : [],
      );
      id = this.sets.idOf((this.query.output | setOf(filtered)) & ~1n);
      this.wanted.set(residual, id);
    }
    return id;
  }

  private outcomeOf(building: Building, kind: Kind): Outcome | undefined {
    return building.depth === 0 ? this.firstOutcome(kind) : this.laterOutcome(building.core, kind);
  }

  /** Only a first Get can order, group, aggregate and limit on the server. */
  private firstOutcome({ shape, output }: Kind): Outcome | undefined {
    const { query, model } = this;
    if ((shape.partition & ~(this.equal | this.lists)) !== 0) return undefined;
    const get = rightGet(query, nothing, shape.laid);
    if (!get) return undefined;
    const figures = figuresOfKeys(query, model, get, nothing, 0, true);
    const key = cheapestKey(model, figures, this.sets.bytes(output));
    return {
      gets: key.gets,
      rows: key.rows,
      fetched: 0,
      joinOn: 0,
      residual: key.residual,
      nodes: get.after.nodes,
      applied: get.after.applied,
      ordered: key.order !== undefined,
      mayLimit:
        query.limit !== undefined && !query.grouped && !query.aggregated && mayLimit(query, key),
    };
  }

  /** The rules of `get-step.ts` on bits. */
  private laterOutcome(core: Core, { shape, output }: Kind): Outcome | undefined {
    if ((shape.partition & ~(core.given | core.known)) !== 0) return undefined;
    let step = core.steps[shape.reach];
    if (step === undefined) {
      step = this.stepOf(core, shape) ?? null;
      core.steps[shape.reach] = step;
    }
    return step === null ? undefined : this.cheapestBinding(core, shape, step, output);
  }

  private stepOf({ reached, known: before }: Core, shape: Shape): Step | undefined {
    const { query, bits } = this;
    const overlap = reached.nodes & shape.nodes;
    if (overlap === 0) return undefined;
    const common = bits.set(before & shape.columns);
    const met = { nodes: overlap, known: common, applied: 0 };
    const join = identifyOverlap(query, met, overlap, common);
    if (join === undefined) return undefined;
    const known = bits.set(before | shape.columns);
    return {
      joinOn: bits.mask(join),
      nodes: withKnownParents(query.compiled, reached.nodes | shape.nodes, known),
      applied: query.predicates.reduce(
        (all, { class: id, bit }) => (has(known, id) ? all | bit : all),
        reached.applied,
      ),
      figures: new PairMemory(),
    };
  }

  /** Of the ways to bind the clustering key from left to right the cheapest. */
  private cheapestBinding(core: Core, shape: Shape, step: Step, output: number): Outcome {
    const { given, reached } = core;
    const bytes = this.sets.bytes(output);
    let fetched = shape.partition & ~given;
    let server = this.conditionsBinding(shape.partition & given);
    let best: Figures | undefined;
    let least = Number.POSITIVE_INFINITY;
    let bestFetched = 0;
    let bestServer = 0;
    const consider = (conditions: number): void => {
      const figures = this.figuresOf(core, shape, step, fetched, conditions);
      const cost = getCost(this.model, figures.gets, figures.rows, bytes);
      if (cost >= least) return;
      least = cost;
      best = figures;
      bestFetched = fetched;
      bestServer = conditions;
    };
    const bindable = given | core.known;
    const end = shape.clustering.findIndex((bit) => bit < 0 || ((1 << bit) & bindable) === 0);
    const bound = end < 0 ? shape.clustering : shape.clustering.slice(0, end);
    for (const bit of bound) {
      const column = 1 << bit;
      // A fetched value or a list may be left to the application, at the price of more rows and fewer Gets.
      if ((column & this.equal) === 0) consider(server);
      if ((column & given) !== 0) server |= this.bindingOn[bit] as number;
      else fetched |= column;
    }
    const range = this.rangeOn[shape.clustering[bound.length] ?? none] ?? 0;
    consider((reached.applied & range) === 0 ? server | range : server);
    if (!best) throw new Error("a right Get has at least one way to bind its key");
    return {
      gets: best.gets,
      rows: best.rows,
      fetched: bestFetched,
      joinOn: step.joinOn,
      residual: step.applied & ~reached.applied & ~bestServer,
      nodes: step.nodes,
      applied: step.applied,
      ordered: false,
      mayLimit: false,
    };
  }

  private figuresOf(
    core: Core,
    { laid }: Shape,
    step: Step,
    fetched: number,
    server: number,
  ): Figures {
    const known = step.figures.find(fetched, server);
    if (known) return known;
    const after = { ...core.reached, nodes: step.nodes };
    const get = { laid, bound: [], joinOn: 0n, after };
    const bound = { bindings: [], range: undefined, fetched: this.bits.set(fetched), server };
    const figures = getFigures(this.query, this.model, get, bound, core.reached, core.rows);
    step.figures.keep(fetched, server, figures);
    return figures;
  }

  private conditionsBinding(columns: number): number {
    let conditions = 0;
    for (let rest = columns; rest !== 0; rest &= rest - 1)
      conditions |= this.bindingOn[31 - Math.clz32(rest & -rest)] as number;
    return conditions;
  }

  /** Column bits on which some conditions stand. */
  private bitsApplied(conditions: number): number {
    let bits = 0;
    for (const [bit, condition] of this.bindingOn.entries())
      if ((condition & conditions) !== 0) bits |= 1 << bit;
    return bits;
  }

  /** After a Get with the limit no condition is applied and no record joined but mandatory parents. */
  private mayFollow({ core, limitedTo }: Building, after: Outcome): boolean {
    if (limitedTo === undefined) return true;
    const { nodes, applied } = core.reached;
    return after.applied === applied && (after.nodes & ~this.withParents(nodes)) === 0;
  }

  private withParents(nodes: NodeSet): NodeSet {
    let all = this.parents.get(nodes);
    if (all === undefined) {
      all = withMandatoryParents(this.query.compiled, nodes);
      this.parents.set(nodes, all);
    }
    return all;
  }

  private buildingOf(
    nodes: NodeSet,
    applied: number,
    known: number,
    layer: Omit<Building, "core" | "known" | "arcs">,
  ): Building {
    const { depth, ordered, limitedTo, beside } = layer;
    const memory = this.layers.get(
      depth,
      (ordered ? 1 : 0) + (limitedTo === undefined ? 0 : 2) + 4 * this.sets.idOf(beside),
      () => new PairMemory<Building>(),
    );
    const place = this.places.get(nodes, applied, () => this.placeCount++);
    const found = memory.find(place, known);
    if (found) return found;
    const core = this.coreOf(nodes, applied, known, limitedTo);
    const building: Building = { ...layer, core, known, arcs: [] };
    memory.keep(place, known, building);
    this.buildings.push(building);
    return building;
  }

  private coreOf(
    nodes: NodeSet,
    applied: number,
    knownColumns: number,
    limitedTo: number | undefined,
  ): Core {
    const known = this.sets.at(knownColumns) & this.bits.covered;
    const key = `${nodes}|${known}|${applied}|${limitedTo}`;
    let core = this.cores.get(key);
    if (!core) {
      const reached = { nodes, applied, known };
      core = {
        reached,
        known: this.bits.mask(known),
        given: this.equal | (this.lists & ~this.bitsApplied(applied)),
        rows: Math.min(rowsReached(this.query, reached), limitedTo ?? Number.POSITIVE_INFINITY),
        steps: [],
      };
      this.cores.set(key, core);
    }
    return core;
  }

  /** A single Get may group, aggregate and limit on the server. */
  private singleCost(kind: Kind): number {
    const laid = this.classes.laid[kind.members[0] as number] as Laid;
    const narrowed = { ...kind.shape.laid, rowBytes: laid.rowBytes };
    const get = legalGet(this.query, nothing, { ...narrowed, columns: this.sets.at(kind.columns) });
    if (!get) throw new Error("the Get of an arc is legal");
    return planCost(this.query, this.model, [get]);
  }

  /** What the application does with the rows of several Gets. */
  private applicationCost(
    after: { nodes: NodeSet; applied: number },
    ordered: boolean,
    limitedTo: number | undefined,
  ): number {
    const { query, model } = this;
    // Whatever the road, a complete plan has reached the answer's rows.
    const key = `${ordered} ${limitedTo}`;
    const remembered = this.applicationCosts.get(key);
    if (remembered !== undefined) return remembered;
    const reached = rowsReached(query, { ...after, known: 0n });
    const rows = Math.min(reached, limitedTo ?? Number.POSITIVE_INFINITY);
    const groups = query.grouped || query.aggregated ? groupCost(model, rows) : 0;
    const sorts =
      query.query.orderBy.length > 0 &&
      query.order?.length !== 0 &&
      !(query.aggregated && !query.grouped) &&
      !ordered;
    const sorted = query.grouped ? expectedGroups(query, reached) : rows;
    const cost = groups + (sorts ? sortCost(model, sorted) : 0);
    this.applicationCosts.set(key, cost);
    return cost;
  }

  // --- values beside the query's ----------------------------------------------------------------

  /** Second Gets that bind what a first one happens to deliver, where that is of use. */
  private bindBeside(root: Building): void {
    if (this.classes.beside === 0n || this.maxGets < 2) return;
    for (const [building, arcs] of byNext(root.arcs)) {
      const delivered = new Set(
        arcs.flatMap(({ kind }) => kind.members.map((index) => this.classes.besideOf(index))),
      );
      for (const node of this.usefulBeside(building, delivered)) {
        for (const arc of arcs) {
          const kind = this.classes.delivering(arc.kind, node.beside);
          const spare = this.sets.union(arc.spare, this.sets.idOf(node.beside));
          if (kind) root.arcs.push({ ...arc, kind, spare, next: node });
        }
      }
    }
  }

  /** Nodes like `building` with some values more, and the Gets that these make possible or cheaper. */
  private usefulBeside(building: Building, delivered: ReadonlySet<ColumnSet>): Iterable<Building> {
    const plainCost = new Map(building.arcs.map((arc) => [arc.kind.index, arc.cost]));
    const found = new Map<ColumnSet, Building>();
    const { core, depth, ordered, limitedTo } = building;
    for (const kind of this.classes.binding) {
      const { laid } = kind.shape;
      const keys = setOf([...laid.partition, ...laid.clustering.map(({ class: id }) => id)]);
      for (const values of new Set([...delivered].map((each) => each & keys))) {
        if (values === 0n) continue;
        const known = this.sets.idOf(this.sets.at(building.known) | values);
        const { nodes, applied } = core.reached;
        const layer = { depth, ordered, limitedTo, beside: values };
        const node = this.buildingOf(nodes, applied, known, layer);
        const outcome = this.laterOutcome(node.core, kind);
        if (!outcome || (this.bits.set(outcome.fetched) & this.classes.beside) !== values) continue;
        const arc = this.arcOf(node, kind, outcome, limitedTo);
        const plain = Math.min(
          ...kind.within.map((index) => plainCost.get(index) ?? Number.POSITIVE_INFINITY),
        );
        if (!arc || arc.cost >= plain) continue;
        node.arcs.push(arc);
        found.set(values, node);
      }
    }
    return found.values();
  }

  // --- the finished graph -----------------------------------------------------------------------

  private finish(root: Building): PlanGraph {
    const living = livingFirst(root);
    const position = new Map(living.map(({ building }, index) => [building, index]));
    const total = living.reduce((sum, { arcs }) => sum + arcs.length, 0);
    const graph: PlanGraph = {
      query: this.query,
      laid: this.classes.laid,
      classes: this.classes.all.map(({ members, within }) => ({ laid: members, within })),
      nodes: living.map(({ building: { core, known, depth } }) => ({
        reached: { ...core.reached, known: this.sets.at(known) },
        depth,
      })),
      starts: new Int32Array(living.length + 1),
      classOf: new Int32Array(total),
      cost: new Float64Array(total),
      perByte: new Float64Array(total),
      next: new Int32Array(total),
      spare: new Int32Array(total),
      needs: new Int32Array(total),
      sets: this.sets,
      unheard: this.classes.unheard,
      paths: new Map(),
    };
    let at = 0;
    living.forEach(({ arcs }, index) => {
      for (const arc of arcs) {
        graph.classOf[at] = arc.kind.index;
        graph.cost[at] = arc.cost;
        graph.perByte[at] = this.model.get.perByte * arc.rows;
        graph.next[at] = arc.next ? (position.get(arc.next) as number) : -1;
        graph.spare[at] = arc.spare;
        graph.needs[at] = arc.needs;
        at += 1;
      }
      graph.starts[index + 1] = at;
    });
    return graph;
  }
}

function byNext(arcs: readonly Arc[]): Map<Building, Arc[]> {
  const into = new Map<Building, Arc[]>();
  for (const arc of arcs) {
    if (!arc.next) continue;
    const list = into.get(arc.next);
    if (list) list.push(arc);
    else into.set(arc.next, [arc]);
  }
  return into;
}

/** Nodes from which the plan can be completed, each after those that its arcs lead to. */
function livingFirst(root: Building): { building: Building; arcs: readonly Arc[] }[] {
  const living = new Map<Building, readonly Arc[]>();
  const visited = new Set<Building>();
  const visit = (building: Building): void => {
    if (visited.has(building)) return;
    visited.add(building);
    for (const { next } of building.arcs) if (next) visit(next);
    const arcs = building.arcs.filter(({ next }) => !next || living.has(next));
    if (arcs.length > 0 || building === root) living.set(building, arcs);
  };
  visit(root);
  return [...living].map(([building, arcs]) => ({ building, arcs }));
}

function classBits(bits: ColumnBits, of: (column: number) => number): number[] {
  return classesOf(bits.covered)
    .map((id) => [bits.bit(id), of(id)] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}
