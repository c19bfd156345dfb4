#!/usr/bin/env node
// Starts the command line. The sources are TypeScript, which Node 20 does not read: they are built into dist/cli first
// whenever they are newer. What main.ts returns is the exit code.
import { pathToFileURL } from "node:url";
import { build, isStale, resultOf } from "../../.ci/build.mjs";
import { ensureInstalled } from "../../.ci/install.mjs";

if (isStale("cli")) {
  ensureInstalled();
  if (!build("cli")) throw new Error("The command line could not be built; see above.");
}
const { main } = await import(pathToFileURL(resultOf("cli")).href);
process.exitCode = await main(process.argv.slice(2));
