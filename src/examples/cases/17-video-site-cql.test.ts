/** Case 17: a video site's CQL. Keys, directions, statics and counters; layouts are asked about, links not invented. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importedDocument } from "#document/import-commands.ts";
import { toProblem } from "#document/to-problem.ts";
import { importCql } from "#interchange/import-cql.ts";
import { planCql } from "#interchange/plan-cql.ts";
import type { ImportAnswers } from "#model/imported-schema.ts";

const text = readFileSync(`${import.meta.dirname}/17-video-site-cql/video.cql`, "utf8");
const read = importCql(text);
if (!read.ok) throw new Error(JSON.stringify(read.issues));
const { tables, skipped, notes } = read.value;

const layouts = {
  "layout/credentials": "layout",
  "layout/videos_of_user": "layout",
  "layout/newest_videos": "layout",
};

/** The document with a statement, so that it is a whole problem. */
function problemOf(answers: ImportAnswers, statement: string) {
  if (!read.ok) throw new Error();
  const document = importedDocument("video", planCql(read.value, answers));
  const problem = toProblem({
    ...document,
    statements: { q: { text: statement } },
    frequencies: { q: [1] },
  });
  if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
  return problem.value;
}

describe("video site", () => {
  test("eight tables with their keys and directions", () => {
    expect(
      tables.map(({ name, partitionKey, clusteringKey }) => [
        name,
        partitionKey.join(", "),
        clusteringKey.map(({ column, direction }) => `${column} ${direction}`).join(", "),
      ]),
    ).toEqual([
      ["credentials", "email", ""],
      ["users", "userid", ""],
      ["videos", "videoid", ""],
      ["videos_of_user", "userid", "added desc, videoid asc"],
      ["newest_videos", "yyyymmdd", "added desc, videoid asc"],
      ["video_rating", "videoid", ""],
      ["recommended_with", "videoid", "userid asc"],
      ["comments_of_video", "videoid", "commentid desc"],
    ]);
    expect(skipped).toEqual([]);
    const kinds = (name: string) => tables.find((each) => each.name === name)?.columns ?? [];
    expect(kinds("video_rating").map(({ type }) => type)).toEqual(["uuid", "counter", "counter"]);
    expect(kinds("recommended_with").flatMap((each) => (each.isStatic ? [each.name] : []))).toEqual(
      ["added", "authorid", "name"],
    );
    expect(notes.map(({ line, text: told }) => [line, told])).toEqual([
      [5, "videos.tags (set<text>) is a collection, kept as one value of 100 bytes."],
    ]);
  });

  test("eight entities without links, and the tables as the schema by hand", () => {
    if (!read.ok) throw new Error();
    const plan = planCql(read.value, {});
    expect(plan.entities).toHaveLength(8);
    expect(plan.relationships).toEqual([]);
    expect(plan.questions.flatMap((each) => (each.kind === "layout" ? [each.id] : []))).toEqual(
      Object.keys(layouts),
    );
    const statement =
      "SELECT videos_of_user.name FROM videos_of_user WHERE videos_of_user.userid = ? ORDER BY videos_of_user.added DESC";
    const families = problemOf({}, statement).handMade?.schemas[0];
    expect(families).toHaveLength(8);
    expect(plan.handMade?.[7]).toBe(
      "[comments_of_video.videoid] [comments_of_video.commentid desc] -> comments_of_video.userid, comments_of_video.comment of comments_of_video",
    );
  });

  test("with the layouts taken as such, five entities; their tables hold the same records", () => {
    if (!read.ok) throw new Error();
    const plan = planCql(read.value, layouts);
    expect(plan.entities.map(({ name }) => name)).toEqual([
      "users",
      "videos",
      "video_rating",
      "recommended_with",
      "comments_of_video",
    ]);
    expect(plan.entities[0]?.attributes.map(({ name }) => name)).toContain("password");
    expect(plan.handMade?.slice(0, 4)).toEqual([
      "[users.email] [users.userid] -> users.password of users",
      "[users.userid] [] -> users.firstname, users.email, users.created of users",
      "[videos.videoid] [] -> videos.userid, videos.name, videos.tags, videos.added of videos",
      "[videos.userid] [videos.added desc, videos.videoid] -> videos.name of videos",
    ]);
    const statement =
      "SELECT videos.name FROM videos WHERE videos.userid = ? ORDER BY videos.added DESC";
    expect(problemOf(layouts, statement).handMade?.schemas[0]).toHaveLength(8);
    expect(plan.notes.map(({ text: told }) => told)).toContain(
      "added, authorid, name of recommended_with are static, stored once in a partition; here each row holds them, so the table is costed larger than it is.",
    );
  });
});
