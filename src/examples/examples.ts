/**
 * The examples, in the order in which a newcomer meets them. Each document is a chunk of its own that
 * is loaded when it is opened; a folder holds the document, what to expect, and why.
 */

export interface Example {
  /** The folder, and what the command line calls it. */
  readonly id: string;
  readonly title: string;
  /** The one thing this example asks. */
  readonly question: string;
  /** The document file, parsed but not yet read. */
  readonly load: () => Promise<unknown>;
}

/** Dynamic imports of JSON give the file as `default`. */
async function fileOf(file: Promise<{ readonly default: unknown }>): Promise<unknown> {
  return (await file).default;
}

export const examples: readonly Example[] = [
  {
    id: "user-item",
    title: "Users and items",
    question:
      "Which tables can answer two small queries, and how is a new one filled from those that are there?",
    load: () => fileOf(import("./user-item/document.json")),
  },
  {
    id: "crossover",
    title: "Two queries change places",
    question: "With room for one wide table only, when does it change hands?",
    load: () => fileOf(import("./crossover/document.json")),
  },
  {
    id: "hotel",
    title: "Hotel reservations",
    question:
      "Browsing by day, booking in the evening, checking at night: which tables are worth keeping when?",
    load: () => fileOf(import("./hotel/document.json")),
  },
  {
    id: "auction",
    title: "Auction site",
    question:
      "Visitors browse, then bid, then crowd the last minutes: which tables does each phase deserve?",
    load: () => fileOf(import("./auction/document.json")),
  },
  {
    id: "likes",
    title: "Likes of users and items",
    question: "Should a list of likes carry the titles, or look them up?",
    load: () => fileOf(import("./likes/document.json")),
  },
];
