// `npm start`: installs what is missing, builds the studio when its sources changed, serves it on this machine only, prints the
// address, and opens it in the browser when a person sits in front of it. `npm start -- --port 8080 --no-open`
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { build, isStale } from "./build.mjs";
import { ensureInstalled, root } from "./install.mjs";

const openers = /** @type {Record<string, string[]>} */ ({
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
  linux: ["xdg-open"],
});

const someoneIsLooking = () => {
  if (!process.stdout.isTTY || process.env["CI"]) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"]);
};

/** Opens the address in the default browser. Failing is no matter: the address is on the screen.
 * @param {string} address */
const openInBrowser = (address) => {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  if (command === undefined) return;
  const child = spawn(command, [...args, address], { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
};

const start = async () => {
  const { values } = parseArgs({
    options: { port: { type: "string" }, "no-open": { type: "boolean", default: false } },
  });
  ensureInstalled();
  if (isStale("studio")) {
    console.log("Building the studio …");
    if (!build("studio")) throw new Error("The studio could not be built; see above.");
  }
  const { preview } = await import("vite");
  const server = await preview({
    root,
    preview: values.port ? { port: Number(values.port), strictPort: true } : {},
  });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error("The server did not tell its address.");
  console.log(`\n  Tidetable studio: ${address}\n  Ctrl+C ends it.\n`);
  if (!values["no-open"] && someoneIsLooking()) openInBrowser(address);
};

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
