// The e2e tests look at the production build in one Chromium: `vite preview` serves dist/studio while they run.
import { existsSync } from "node:fs";
import { chromium, defineConfig } from "@playwright/test";
import { systemChromium } from "../.ci/chromium.mjs";

const port = process.env["E2E_PORT"] ?? "4190";
const address = `http://127.0.0.1:${port}`;

// Playwright's own browser where it is installed, else the system's; CHROMIUM_PATH is a person's word and comes first.
const ownIsThere = existsSync(chromium.executablePath());
const executablePath = process.env["CHROMIUM_PATH"] || !ownIsThere ? systemChromium() : undefined;

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  // Two files at a time: most of a test is waiting for the page. More would take the cores from the solver in it.
  workers: 2,
  // A test that fails once in many runs beside another is told as flaky, and counts as failed if it fails twice.
  retries: process.env["CI"] ? 1 : 0,
  forbidOnly: Boolean(process.env["CI"]),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    baseURL: address,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    screenshot: "only-on-failure",
    launchOptions: {
      // Chromium's sandbox refuses to start as root and in most containers.
      chromiumSandbox: false,
      args: ["--disable-background-networking"],
      ...(executablePath === undefined ? {} : { executablePath }),
    },
  },
  projects: [{ name: "chromium" }],
  webServer: {
    command: `node node_modules/vite/bin/vite.js preview --port ${port} --strictPort --host 127.0.0.1`,
    cwd: "..",
    url: address,
    reuseExistingServer: false,
  },
});
