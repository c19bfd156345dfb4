import { expect, test } from "vitest";
import { parseColumnFamily } from "./column-family-text.ts";
import { buildEntityGraph } from "./entity-drawing.ts";
import { partitionFigures, powerSum, type Spreads, sumOfSquares } from "./partition-figures.ts";

const graph = (() => {
  const built = buildEntityGraph(
    [
      {
        name: "user",
        count: 1000,
        attributes: [
          { name: "id", type: "int" },
          { name: "name", type: "text", distinct: 900 },
        ],
        identifier: ["id"],
      },
      {
        name: "item",
        count: 50_000,
        attributes: [
          { name: "id", type: "int" },
          { name: "kind", type: "text", distinct: 5 },
        ],
        identifier: ["id"],
      },
    ],
    [
      {
        multiplicity: "oneToMany",
        ends: [
          { entity: "user", role: "user" },
          { entity: "item", role: "items" },
        ],
      },
    ],
  );
  if (!built.ok) throw new Error(JSON.stringify(built.issues));
  return built.value;
})();

function figures(text: string, spreads?: Spreads) {
  const family = parseColumnFamily(text, graph, "test", 1);
  if (!family.ok) throw new Error(JSON.stringify(family.issues));
  return partitionFigures(graph, family.value, spreads);
}

test("without a word about spreads all partitions are alike", () => {
  expect(figures("[item.user.id] [item.id] -> item.kind")).toMatchObject({
    partitions: 1000,
    largestRows: 50,
    largestShare: 1 / 1000,
    largestCells: 50,
    concentration: 1 / 1000,
  });
  // The name is determined by the identifier and multiplies nothing.
  expect(
    figures("[user.id, user.name] [item.id] -> item.kind of user(items:item)").largestRows,
  ).toBeCloseTo(50, 9);
  expect(figures("[item.kind] [item.id] -> item.user.id").largestShare).toBeCloseTo(0.2, 12);
});

test("a hot value makes its partition large, also where the parent’s column stands for the one held", () => {
  const spreads: Spreads = { item: { "user.id": { kind: "hot", share: 0.4 } } };
  const share = 0.4 + 0.6 / 1000;
  expect(figures("[item.user.id] [item.id] -> item.kind", spreads).largestRows).toBeCloseTo(
    50_000 * share,
    6,
  );
  const joined = figures(
    "[user.id] [item.id] -> user.name, item.kind of user(items:item)",
    spreads,
  );
  expect(joined.largestShare).toBeCloseTo(share, 9);
  expect(joined.concentration).toBeCloseTo(0.4 ** 2 + 0.84 / 1000, 9);
});

test("Zipf by its sums", () => {
  const spreads: Spreads = { item: { kind: { kind: "zipf", exponent: 1 } } };
  expect(figures("[item.kind] [item.id] -> item.user.id", spreads).largestShare).toBeCloseTo(
    1 / (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5),
    9,
  );
  let squares = 0;
  for (let k = 1; k <= 30_000; k += 1) squares += 1 / k ** 2;
  expect(powerSum(30_000, 2)).toBeCloseTo(squares, 9);
  const p = [1, 1 / 2, 1 / 3].map((each) => each / (11 / 6));
  expect(sumOfSquares({ kind: "zipf", exponent: 1 }, 3)).toBeCloseTo(
    p.reduce((sum, each) => sum + each * each, 0),
    12,
  );
});
