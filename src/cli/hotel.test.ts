/**
 * The hotel of the Cassandra documentation's data-modelling chapter through `tidetable enumerate`: its
 * nine access patterns (Q1–Q9), and the partition of free rooms that the chapter works out.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./captured-run.ts";
import type { Listing } from "./listing.ts";

const folder = temporaryFolder();
const design = folder.write(
  "hotel.json",
  readFileSync(new URL("../examples/hotel/document.json", import.meta.url), "utf8"),
);

describe("the documented hotel", () => {
  let listed: Promise<Listing> | undefined;
  const listing = (): Promise<Listing> => {
    listed ??= folder.run("enumerate", design, "--json").then(({ out }) => JSON.parse(out));
    return listed;
  };

  test.each(["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"])(
    "%s can be answered by a single Get",
    async (id) => {
      const { queries } = await listing();
      const plans = queries.find(({ statement }) => statement === id)?.plans ?? [];
      expect(plans.map(({ kind }) => kind)).toContain("materialised view");
    },
  );

  test("free rooms by hotel: 73,000 rows and 1,095,005 bytes in each of 5,000 partitions", async () => {
    const { candidates } = await listing();
    const rooms = candidates.find(
      ({ text }) =>
        text ===
        "[availability.room.hotel.id] [availability.date↑, availability.room.number↑] → availability.isAvailable",
    );
    expect(rooms?.size).toMatchObject({
      partitions: 5000,
      rowsPerPartition: 73_000,
      bytesPerPartition: 1_095_005,
    });
  });
});
