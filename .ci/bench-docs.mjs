// Writes the tables of measured figures from the stored runs in docs/bench: docs/comparison.md, docs/growth.md, and the
// stretch of the README between two marks. `npm run bench:docs`; a test holds the documents to the stored runs.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const stored = ["docs/bench/node.json", "docs/bench/chromium.json", "docs/bench/growth.json"];

/** A report made of those of the stored runs that are there.
 * @param {string} name @param {readonly string[]} files */
const report = (name, files) => {
  const from = files.filter((file) => existsSync(join(root, file)));
  const args = [
    join(root, "src", "cli", "tidetable.mjs"),
    "bench",
    "--report",
    name,
    "--from",
    from.join(),
  ];
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the report ${name} could not be made`);
  return stdout;
};

writeFileSync(join(root, "docs", "comparison.md"), report("comparison", stored.slice(0, 2)));
writeFileSync(join(root, "docs", "growth.md"), report("growth", stored.slice(2)));

const readme = join(root, "README.md");
const [begin, end] = ["<!-- bench:begin -->\n", "<!-- bench:end -->\n"];
const text = readFileSync(readme, "utf8");
const [from, to] = [text.indexOf(begin), text.indexOf(end)];
if (from < 0 || to < from) throw new Error(`README.md lacks its marks: ${begin}${end}`);
const table = report("readme", stored.slice(0, 2));
writeFileSync(readme, `${text.slice(0, from)}${begin}${table}${text.slice(to)}`);
