// Everything Vite and Vitest are told: the studio's page, the command line (`--mode cli`) and the unit tests.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// Random tests start from one seed, printed, the same in every run: PROPERTY_SEED=… npm run unit tries another one,
// PROPERTY_SEED=random a new one. A failing seed becomes a test with a name.
const wanted = process.env["PROPERTY_SEED"] ?? "20261130";
const propertySeed = wanted === "random" ? String(Date.now() % 2 ** 31) : wanted;
if (process.env["VITEST"]) process.stdout.write(`random tests: PROPERTY_SEED=${propertySeed}\n`);

export default defineConfig(({ mode }) => ({
  // Relative addresses: the build may be served from any folder.
  base: "./",
  plugins: [react()],
  build:
    mode === "cli"
      ? {
          // One module for Node. Packages stay outside it, so that highs finds its WASM beside itself.
          ssr: "src/cli/main.ts",
          target: "node20",
          outDir: "dist/cli",
          copyPublicDir: false,
          minify: false,
          rolldownOptions: {
            output: { entryFileNames: "tidetable.mjs", codeSplitting: false },
          },
        }
      : {
          outDir: "dist/studio",
          target: "baseline-widely-available",
          chunkSizeWarningLimit: 1500,
        },
  worker: {
    format: "es",
    // A folder of their own: the size check tells the page's scripts from the workers' by it.
    rolldownOptions: {
      output: {
        entryFileNames: "assets/worker/[name]-[hash].js",
        chunkFileNames: "assets/worker/[name]-[hash].js",
      },
    },
  },
  server: { host: "127.0.0.1", port: 4173 },
  preview: { host: "127.0.0.1", port: 4173 },
  test: {
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    environment: "node",
    setupFiles: [".ci/property-seed.mjs"],
    env: { PROPERTY_SEED: propertySeed },
    // The main thread has little to do: on two cores two workers finish sooner than one.
    maxWorkers: "100%",
    // Solver and brute-force tests share two cores with everything else.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
}));
