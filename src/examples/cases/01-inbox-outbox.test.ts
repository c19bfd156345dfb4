/** Case 01: messages seen from both ends, newest first, with a read mark. */
import { beforeAll, describe, expect, test } from "vitest";
import { planKind } from "#model/plan.ts";
import type { Recommendation } from "#model/recommendation.ts";
import {
  applicationWork,
  type CasePlans,
  chosenPlan,
  firstGet,
  plansOfCase,
  problemOf,
  schemaAt,
  solved,
  written,
} from "./read-case.ts";

const folder = "01-inbox-outbox";
const received =
  "[Message.recipient.user_id] [Message.sent_at↑, Message.message_id↑] → Message.body, Message.is_read, User.username";
const sent = "[Message.sender.user_id] [Message.sent_at↑, Message.message_id↑] → Message.body";

describe("inbox and outbox", () => {
  let answer: Recommendation;
  let plans: CasePlans;
  beforeAll(async () => {
    const problem = problemOf(folder);
    plans = plansOfCase(problem);
    answer = await solved(problem);
  });

  // Stored ascending and read backwards: the exact reverse is the same table.
  test("1: are a table by the recipient and one by the sender, each in order of time", () => {
    expect(schemaAt(answer)).toEqual(expect.arrayContaining([received, sent]));
  });

  test.each(["inbox", "outbox"])("2: the newest 20 of the %s are one Get of the server", (list) => {
    const plan = chosenPlan(answer, list);
    expect(planKind(plan)).toBe("materialised view");
    expect(firstGet(plan)).toMatchObject({ gets: 1, rows: 20, order: "reverse", limit: 20 });
    expect(applicationWork(plan)).toEqual([]);
  });

  test("3: the message's identifier is in the key of every table of messages", () => {
    const byUser = plans.columnFamilies.filter(({ graph }) =>
      graph.nodes.some(({ entity }) => entity === "Message"),
    );
    for (const { key, graph, partitionKey, clusteringKey } of byUser) {
      const inKey = [...partitionKey, ...clusteringKey].some(
        ({ node, attribute }) =>
          graph.nodes[node]?.entity === "Message" && attribute === "message_id",
      );
      expect({ key, inKey }).toEqual({ key, inKey: true });
    }
  });

  test("4: marking as read overwrites one value where it is kept, found by its full key", () => {
    expect(written(answer, "markAsRead")).toEqual({ [received]: [1, 0] });
    const update = answer.steps[0]?.updates.find(({ statement }) => statement === "markAsRead");
    // The message's identifier alone does not name the row: recipient and time are read first.
    expect(update?.support.length).toBe(1);
  });

  test("4: it writes both tables where the outbox shows the mark too", async () => {
    const outbox =
      "SELECT Message.message_id, Message.sent_at, Message.body, Message.is_read FROM Message WHERE Message.sender.user_id = ? ORDER BY Message.sent_at DESC LIMIT 20";
    const both = await solved(problemOf(folder, { texts: { outbox } }));
    const marked = schemaAt(both).filter((text) => text.includes("is_read"));
    expect(marked.length).toBeGreaterThan(1);
    expect(Object.keys(written(both, "markAsRead")).sort()).toEqual(marked);
  });

  test("5: the login by e-mail has its own table, where a new e-mail deletes a row and puts one", () => {
    const login = "[User.email] [User.user_id↑] → User.pw_hash";
    expect(schemaAt(answer)).toContain(login);
    expect(planKind(chosenPlan(answer, "loginByEmail"))).toBe("materialised view");
    expect(written(answer, "changeEmail")).toMatchObject({ [login]: [1, 1] });
    expect(written(answer, "changeEmail")).toMatchObject({
      "[User.user_id] [] → User.email, User.pw_hash, User.username": [1, 0],
    });
  });

  test("6: the two relationships stay apart", () => {
    const ofInbox = plans.plansOf("inbox").map((plan) => firstGet(plan).columnFamily);
    const ofOutbox = plans.plansOf("outbox").map((plan) => firstGet(plan).columnFamily);
    expect(ofInbox.filter((key) => key.startsWith("[Message.sender.user_id]"))).toEqual([]);
    expect(ofOutbox.filter((key) => key.startsWith("[Message.recipient.user_id]"))).toEqual([]);
  });
});
