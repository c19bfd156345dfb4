// Serves the built studio for a bench that looks at it in a browser.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { root, tool } from "./install.mjs";

/** @returns {Promise<number>} */
export const freePort = () =>
  new Promise((found, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => found(port));
    });
  });

/** Serves the built studio; resolves when it answers.
 * @param {number} port */
export const serve = async (port) => {
  const args = ["preview", "--port", String(port), "--strictPort", "--host", "127.0.0.1"];
  const server = spawn(process.execPath, [tool("vite"), ...args], { cwd: root, stdio: "ignore" });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return server;
    await new Promise((done) => setTimeout(done, 100));
  }
  server.kill();
  throw new Error("the built studio could not be served");
};
