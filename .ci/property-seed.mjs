// Runs before each test file: every random test starts from the run's one printed seed (see vite.config.ts).
// PROPERTY_SHRINKING=off spares the search for a smaller counterexample.
import { configureGlobal, readConfigureGlobal } from "fast-check";

configureGlobal({
  ...readConfigureGlobal(),
  seed: Number(process.env["PROPERTY_SEED"]),
  endOnFailure: process.env["PROPERTY_SHRINKING"] === "off",
});
