/** Case 16: a blog without a single foreign key. Links by name are guesses, and drawn only when a person says so. */
import { describe, expect, test } from "vitest";
import { toProblem } from "#document/to-problem.ts";
import { importedCase, questionsOf, relationshipTexts } from "./import-case.ts";
import { plansOfCase } from "./read-case.ts";

const folder = "16-blog-without-foreign-keys";
const right = [
  "link/wp_posts.post_author",
  "link/wp_posts.post_parent",
  "link/wp_postmeta.post_id",
  "link/wp_comments.comment_post_ID",
  "link/wp_comments.comment_parent",
  "link/wp_comments.user_id",
  "link/wp_usermeta.user_id",
];

describe("a blog without foreign keys", () => {
  test("five entities, no relationships, which is said", async () => {
    const { plan } = await importedCase(`${folder}/blog_mysql.sql`);
    expect(plan.entities.map(({ name, attributes }) => [name, attributes.length])).toEqual([
      ["wp_users", 4],
      ["wp_posts", 7],
      ["wp_postmeta", 4],
      ["wp_comments", 5],
      ["wp_usermeta", 4],
    ]);
    expect(plan.relationships).toEqual([]);
    expect(plan.notes.map(({ text }) => text)).toEqual([
      "The text declares no relationships; draw them in the Model room.",
    ]);
    const ofMeta = plan.entities[2]?.attributes;
    expect(ofMeta?.map(({ name, type, bytes }) => [name, type, bytes])).toEqual([
      ["meta_id", "bigint", undefined],
      ["post_id", "bigint", undefined],
      ["meta_key", "text", 100],
      ["meta_value", "text", 100],
    ]);
  });

  test("the seven right links are offered as guesses, and no wrong one", async () => {
    const { plan } = await importedCase(`${folder}/blog_mysql.sql`);
    expect(questionsOf(plan, "link by name")).toEqual(right);
    for (const question of plan.questions)
      if (question.kind === "link by name") {
        expect(question.text).toMatch(/^A guess by its name/);
        expect(question.answer).toBe("no");
      }
  });

  test("with the links, values of a key over the posts of an author can be designed", async () => {
    const answers = Object.fromEntries(right.map((id) => [id, "yes"]));
    const { plan, document } = await importedCase(`${folder}/blog_mysql.sql`, answers);
    expect(relationshipTexts(plan)).toEqual([
      "wp_comments.wp_comments_comment_parent 1-n? wp_comments.comment_parent",
      "wp_posts.wp_comments 1-n? wp_comments.comment_post",
      "wp_posts.wp_postmeta 1-n? wp_postmeta.post",
      "wp_posts.wp_posts_post_parent 1-n? wp_posts.post_parent",
      "wp_users.wp_comments 1-n? wp_comments.user",
      "wp_users.wp_posts 1-n? wp_posts.post_author",
      "wp_users.wp_usermeta 1-n? wp_usermeta.user",
    ]);
    const problem = toProblem({
      ...document,
      statements: {
        q: {
          text: "SELECT wp_postmeta.meta_value FROM wp_postmeta.post.post_author WHERE post_author.ID = ? AND wp_postmeta.meta_key = ?",
        },
      },
      frequencies: { q: [1] },
    });
    if (!problem.ok) throw new Error(JSON.stringify(problem.issues));
    expect(plansOfCase(problem.value).plansOf("q").length).toBeGreaterThan(0);
  });

  test("small letters and keys on a line of their own read the same", async () => {
    const whole = await importedCase(`${folder}/blog_mysql.sql`);
    const { plan, read } = await importedCase(`${folder}/blog_lower.sql`);
    expect(plan.entities.map(({ line: _, ...entity }) => entity)).toEqual(
      whole.plan.entities
        .filter(({ name }) => name === "wp_postmeta")
        .map(({ line: _, ...entity }) => entity),
    );
    expect(read.skipped.map(({ line }) => line)).toEqual([11]);
  });
});
