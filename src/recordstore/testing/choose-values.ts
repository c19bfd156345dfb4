/**
 * Values for a query's predicates under which its answer is often not empty: those of a join row
 * that exists (the witness), now and then others or ones that no record has.
 */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import type { ColumnReference } from "#model/query-graph.ts";
import type { Random } from "#model/random.ts";
import type { Operand, Predicate, Query, RangeOperator } from "#model/statement.ts";
import { compareValues, joinRows, type Records, type Value } from "../records.ts";
import type { PredicateValues } from "../run-query-plan.ts";

export class ValueChooser {
  private readonly records: Records;
  private readonly query: Query;
  private readonly random: Random;
  private readonly rows: readonly (readonly number[])[];

  constructor(records: Records, query: Query, random: Random) {
    this.records = records;
    this.query = query;
    this.random = random;
    this.rows = joinRows(records, query.graph);
  }

  choose(): PredicateValues {
    const witness = this.rows[this.random.below(this.rows.length)];
    return this.query.predicates.map((predicate) => this.valuesFor(predicate, witness));
  }

  /** Values of a column over all its records, sorted. */
  domain(column: ColumnReference): Value[] {
    const values = this.fields(column.node).map((fields) => fields[column.attribute] as Value);
    return [...new Set(values)].sort(compareValues);
  }

  private valuesFor(predicate: Predicate, witness: readonly number[] | undefined): Value[] {
    const domain = this.domain(predicate.column);
    const any = (): Value => domain[this.random.below(domain.length)] as Value;
    const wanted =
      witness && this.random.next() < 0.85
        ? this.valueIn(predicate.column, witness)
        : this.random.next() < 0.7
          ? any()
          : strange(any());
    switch (predicate.kind) {
      case "equal":
        return [this.operand(predicate.operand, wanted)];
      case "in": {
        const given = predicate.operands.length;
        const length = given > 1 ? given : this.random.below(5);
        const list = Array.from({ length }, (_, index) => (index === 0 ? wanted : any()));
        const mixed = this.random.shuffled(list);
        return given > 1
          ? mixed.map((value, index) => this.operand(predicate.operands[index] as Operand, value))
          : mixed;
      }
      case "range":
        return predicate.bounds.map(({ operator, operand }) =>
          this.operand(operand, this.bound(domain, operator, wanted)),
        );
    }
  }

  /** A literal stands as written only now and then, since sample data seldom holds it (nor dates as text). */
  private operand(operand: Operand, chosen: Value): Value {
    if (operand.kind === "parameter" || typeof operand.value !== typeof chosen) return chosen;
    return this.random.next() < 0.3 ? operand.value : chosen;
  }

  /** A value that the wanted one is below or above, as the operator asks. */
  private bound(domain: readonly Value[], operator: RangeOperator, wanted: Value): Value {
    const fitting = domain.filter((value) => {
      const order = compareValues(wanted, value);
      return order === 0 ? operator.endsWith("=") : order < 0 === operator.startsWith("<");
    });
    if (fitting.length === 0) return domain[this.random.below(domain.length)] as Value;
    return fitting[this.random.below(fitting.length)] as Value;
  }

  private valueIn({ node, attribute }: ColumnReference, row: readonly number[]): Value {
    return this.fields(node)[row[node] as number]?.[attribute] as Value;
  }

  private fields(node: number): readonly Readonly<Record<string, Value>>[] {
    return this.records.entities.get(this.query.graph.nodes[node]?.entity ?? "") ?? [];
  }
}

/** A value that hardly any record has. */
function strange(value: Value): Value {
  if (typeof value === "number") return value + 1;
  return typeof value === "string" ? `${value}!` : value;
}
