/** An auction of a size at which chance evens out: what estimates are held against measurements on. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the record store.
import { aGraph } from "#engine/testing/examples.ts";
import type { EntityGraph } from "#model/entity-graph.ts";

export const auction: EntityGraph = aGraph(
  [
    {
      name: "User",
      count: 300,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "name", type: "text", bytes: 20, distinct: 250 },
        { name: "city", type: "text", bytes: 12, distinct: 12 },
      ],
      identifier: ["id"],
    },
    {
      name: "Category",
      count: 15,
      attributes: [
        { name: "id", type: "int" },
        { name: "title", type: "text", bytes: 16 },
      ],
      identifier: ["id"],
    },
    {
      name: "Item",
      count: 1500,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "title", type: "text", bytes: 40 },
        { name: "price", type: "int", distinct: 200 },
        { name: "added", type: "date", distinct: 120 },
      ],
      identifier: ["id"],
    },
    {
      name: "Bid",
      count: 6000,
      attributes: [
        { name: "no", type: "int", distinct: 8 },
        { name: "amount", type: "int", distinct: 500 },
        { name: "at", type: "timestamp", distinct: 3000 },
      ],
      identifier: ["item", "no"],
    },
    {
      name: "Tag",
      count: 40,
      attributes: [{ name: "word", type: "text", bytes: 10 }],
      identifier: ["word"],
    },
    {
      name: "Review",
      count: 800,
      attributes: [
        { name: "id", type: "uuid" },
        { name: "stars", type: "int", distinct: 5 },
      ],
      identifier: ["id"],
    },
  ],
  [
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "User", role: "seller" },
        { entity: "Item", role: "offers" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Category", role: "category" },
        { entity: "Item", role: "items" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "Item", role: "item" },
        { entity: "Bid", role: "bids" },
      ],
    },
    {
      multiplicity: "oneToMany",
      ends: [
        { entity: "User", role: "bidder" },
        { entity: "Bid", role: "bids" },
      ],
    },
    {
      multiplicity: "manyToMany",
      ends: [
        { entity: "Item", role: "items" },
        { entity: "Tag", role: "tags" },
      ],
      links: 4500,
    },
    {
      multiplicity: "oneToMany",
      optional: true,
      links: 600,
      ends: [
        { entity: "Item", role: "item" },
        { entity: "Review", role: "reviews" },
      ],
    },
  ],
);
