/**
 * The examples, in the order in which a newcomer meets them: small ones first.
 *
 * Each folder holds the document, what to expect of it (`expected.json`, held by `examples.test.ts`)
 * and why (`README.md`). A document is a chunk of its own, fetched when it is opened; `load` works the
 * same in the page, in the bundled command line and under test. Titles and questions repeat those of
 * the documents, so that the list can be shown without loading any.
 */

import {
  type Pattern,
  patterns,
  stepsProblem,
  usualSteps,
  withPattern,
} from "./tpch/frequencies.ts";

export interface Example {
  /** The folder, and what the command line calls it. */
  readonly id: string;
  readonly title: string;
  /** The one thing this example asks. */
  readonly question: string;
  /** The document file, parsed but not yet read (`documentFrom`). */
  readonly load: () => Promise<unknown>;
  /** Too large for the tests to optimise: they only enumerate it. */
  readonly large?: true;
  /** Other frequencies than the document's, by name, over any number of steps. */
  readonly patterns?: ExamplePatterns;
}

export interface ExamplePatterns {
  readonly names: readonly string[];
  /** How many steps a pattern has where nobody says. */
  readonly usualSteps: (name: string) => number;
  /** Why a pattern cannot have so many steps; undefined where it can. */
  readonly problem: (name: string, steps: number) => string | undefined;
  readonly apply: (file: unknown, name: string, steps: number) => unknown;
}

export const examples: readonly Example[] = [
  {
    id: "user-item",
    title: "Users and items",
    question:
      "Which tables can answer two small queries, and how is a new table filled from the old ones?",
    load: () => fileOf(import("./user-item/document.json")),
  },
  {
    id: "crossover",
    title: "Two queries change places",
    question:
      "With room for one wide table only, which query gets it, and when does it change hands?",
    load: () => fileOf(import("./crossover/document.json")),
  },
  {
    id: "hotel",
    title: "Hotel reservations",
    question:
      "Guests browse by day and book in the evening, hotels check arrivals at night: which tables should exist when?",
    load: () => fileOf(import("./hotel/document.json")),
  },
  {
    id: "auction",
    title: "Auction site",
    question:
      "Visitors browse, then bid, then crowd the last hours: which tables does each phase deserve?",
    load: () => fileOf(import("./auction/document.json")),
  },
  {
    id: "likes",
    title: "Likes",
    question:
      "Should a list of likes carry what it lists, or send the reader on to a second table?",
    load: () => fileOf(import("./likes/document.json")),
  },
  {
    id: "bank-log",
    title: "Bank transaction log",
    question:
      "Three servers keep the log of a bank: why does the last one do all the work, and which key shares it?",
    load: () => fileOf(import("./bank-log/document.json")),
  },
  {
    id: "which-key",
    title: "Which key?",
    question:
      "Four keys: a user’s number, a status code, a device’s number, and a device’s number where one device is far busier. Which of them spread records and requests evenly?",
    load: () => fileOf(import("./which-key/document.json")),
  },
  {
    id: "tpch",
    title: "TPC-H in two groups",
    question:
      "Two groups of analytical queries take turns: what does it gain to move the tables with them, and how sure can one be?",
    load: () => fileOf(import("./tpch/document.json")),
    large: true,
    patterns: {
      names: patterns,
      usualSteps: (name) => usualSteps(name as Pattern),
      problem: (name, steps) => stepsProblem(name as Pattern, steps),
      apply: (file, name, steps) => withPattern(file, name as Pattern, steps),
    },
  },
];

/** A JSON file imported as a module is its `default`. */
async function fileOf(file: Promise<{ readonly default: unknown }>): Promise<unknown> {
  return (await file).default;
}
