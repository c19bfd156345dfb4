/** The documents say what the stored runs of the bench say: written by `npm run bench:docs`, not by hand. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../captured-run.ts";

const root = new URL("../../../", import.meta.url);
const folder = temporaryFolder();
const fileText = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** A report made of the stored runs that are there, under the names that the documents give them. */
async function report(name: string, paths: readonly string[]): Promise<string> {
  const there = paths.filter((path) => existsSync(new URL(path, root)));
  expect(there.length).toBeGreaterThan(0);
  const names = there.map((path) => folder.write(path.replaceAll("/", "-"), fileText(path)));
  const { code, out } = await folder.run("bench", "--report", name, "--from", names.join());
  expect(code).toBe(0);
  return out.replace(names.join(), there.join());
}

const runs = ["docs/bench/node.json", "docs/bench/chromium.json"];

test("docs/comparison.md", async () => {
  expect(fileText("docs/comparison.md")).toBe(await report("comparison", runs));
});

test("docs/growth.md", async () => {
  expect(fileText("docs/growth.md")).toBe(await report("growth", ["docs/bench/growth.json"]));
});

test("the README", async () => {
  expect(fileText("README.md")).toContain(
    `<!-- bench:begin -->\n${await report("readme", runs)}<!-- bench:end -->\n`,
  );
});
