// Runs before each test file: every random test starts from the run's one printed seed (see vite.config.ts).
import { configureGlobal, readConfigureGlobal } from "fast-check";

configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env["PROPERTY_SEED"]) });
