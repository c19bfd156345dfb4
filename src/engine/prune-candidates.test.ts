/** Which candidates give way to others, and which must not (engine.md §5). */
import { describe, expect, test } from "vitest";
import { isQuery } from "#model/statement.ts";
import { compileQuery } from "./compile-query.ts";
import { enumerateColumnFamilies } from "./enumerate-column-families.ts";
import { pruneReplaced } from "./prune-candidates.ts";
import {
  aProblem,
  categoriesAndProducts,
  type ProblemParts,
  videosAndLikes,
} from "./testing/examples.ts";

/** Tables without what follows `of`, before and after pruning. */
function keys(
  graph: ProblemParts["graph"],
  queries: ProblemParts["queries"],
  updated = false,
): { proposed: string[]; kept: string[] } {
  const problem = aProblem({ graph, queries });
  const compiled = problem.statements.filter(isQuery).map((query) => compileQuery(graph, query));
  const pool = enumerateColumnFamilies(graph, compiled, 1);
  const texts = (all: ReadonlyMap<string, unknown>): string[] =>
    [...all.keys()].map((key) => key.split(" of ")[0] as string);
  return { proposed: texts(pool), kept: texts(pruneReplaced(pool, compiled, updated)) };
}

describe("of two tables with the same columns", () => {
  test("each stays that stores its rows in an order that a query asks for", () => {
    const select =
      "SELECT Product.product_id FROM Product WHERE Product.category.cat_id = ? ORDER BY Product.price";
    const { kept } = keys(categoriesAndProducts, {
      newest: `${select}, Product.added DESC`,
      oldest: `${select}, Product.added`,
    });
    expect(kept).toEqual(
      expect.arrayContaining([
        "[Product.category.cat_id] [Product.price↑, Product.added↓, Product.product_id↑]",
        "[Product.category.cat_id] [Product.price↑, Product.added↑, Product.product_id↑]",
      ]),
    );
  });

  test("each stays that keeps the groups of a query together", () => {
    const from = "count(*) FROM Like WHERE Like.video.video_id = ? GROUP BY";
    const { kept } = keys(videosAndLikes, {
      country: `SELECT Like.country, Like.at, ${from} Like.country, Like.at ORDER BY Like.country`,
      time: `SELECT Like.country, ${from} Like.country`,
      at: `SELECT Like.at, Like.country, ${from} Like.at, Like.country ORDER BY Like.at`,
    });
    expect(kept).toEqual(
      expect.arrayContaining([
        "[Like.video.video_id] [Like.country↑, Like.at↑, Like.like_id↑]",
        "[Like.video.video_id] [Like.at↑, Like.country↑, Like.like_id↑]",
      ]),
    );
  });

  test("the one with fewer key columns stays where updates change records, and gives way elsewhere", () => {
    const query =
      "SELECT Product.product_id FROM Product WHERE Product.category.cat_id = ? AND Product.price = ?";
    const relaxed = "[Product.category.cat_id] [Product.product_id↑] → Product.price";
    const { proposed, kept } = keys(categoriesAndProducts, { query });
    expect(proposed).toContain(relaxed);
    expect(kept).not.toContain(relaxed);
    expect(keys(categoriesAndProducts, { query }, true).kept).toContain(relaxed);
  });
});
