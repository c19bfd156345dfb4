/** Limits on the partitions of tables, and a price for asking several: empty fields limit nothing. */
import { changeSharding } from "#document/sharding-commands.ts";
import { anError, type Issue } from "#model/issue.ts";
import type { PartitionLimits } from "#model/sharding-setup.ts";
import { bytes, readBytes } from "../design/format.ts";
import { NumberField } from "../design/number-field.tsx";
import { useDocument, useEdit } from "../studio-state.ts";

export function PartitionFields() {
  const limits = useDocument((document) => document.sharding?.limits) ?? {};
  const edit = useEdit();
  const set = (
    name: keyof PartitionLimits,
    label: string,
    value: number | undefined,
    most = Number.POSITIVE_INFINITY,
  ): readonly Issue[] => {
    if (value !== undefined && !(value > 0 && value <= most))
      return [
        anError(
          "",
          most === 1 ? "Write per cent above 0, at most 100." : "Write a number above 0.",
        ),
      ];
    const { [name]: _, ...rest } = limits;
    const next = value === undefined ? rest : { ...rest, [name]: value };
    const isEmpty = Object.keys(next).length === 0;
    return edit(label, (document) =>
      changeSharding(document, { limits: isEmpty ? undefined : next }),
    );
  };
  return (
    <fieldset>
      <legend>Partitions of the tables</legend>
      <NumberField
        label="Largest partition, bytes"
        optional
        placeholder="any"
        value={limits.largestBytes}
        show={(value) => bytes(value).text}
        read={readBytes}
        hint="Tables with larger partitions are left out. Cassandra’s documentation advises 100 MB."
        onCommit={(value) => set("largestBytes", "Limit the bytes of partitions", value)}
      />
      <NumberField
        label="Largest partition, rows"
        optional
        placeholder="any"
        value={limits.largestRows}
        hint="As above; advised are 100,000."
        onCommit={(value) => set("largestRows", "Limit the rows of partitions", value)}
      />
      <NumberField
        label="Hottest partition"
        optional
        placeholder="any"
        unit="% of a table’s rows"
        value={limits.largestShare === undefined ? undefined : limits.largestShare * 100}
        hint="Tables of which one partition has more are left out: its node would be hot."
        onCommit={(value) =>
          set(
            "largestShare",
            "Limit the share of partitions",
            value === undefined ? undefined : value / 100,
            1,
          )
        }
      />
      <NumberField
        label="Price of a further partition"
        optional
        placeholder="none"
        unit="ms"
        value={limits.perFurtherPartition}
        hint="Added to a plan for every partition beyond the first that one of its steps asks."
        onCommit={(value) => set("perFurtherPartition", "Price further partitions", value)}
      />
    </fieldset>
  );
}
