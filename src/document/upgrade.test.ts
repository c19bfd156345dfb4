import { describe, expect, test } from "vitest";
import { documentVersion } from "./schema.ts";
import { type UpgradeStep, upgrade, upgradeSteps } from "./upgrade.ts";

const steps: readonly UpgradeStep[] = [
  {
    from: 1,
    name: "a title is called a name",
    upgrade: ({ ["title"]: title, ...rest }) => ({ ...rest, name: title }),
  },
  {
    from: 2,
    name: "names are in capitals",
    upgrade: (file) => ({ ...file, name: (file["name"] as string).toUpperCase() }),
  },
];

function complaint(file: unknown): string {
  const upgraded = upgrade(file, steps, 3);
  return upgraded.ok ? "none" : upgraded.issues.map((issue) => issue.message).join();
}

describe("upgrade", () => {
  test("takes an old file through every step in order", () => {
    expect(upgrade({ format: "tidetable", version: 1, title: "tides" }, steps, 3)).toEqual({
      ok: true,
      value: { format: "tidetable", version: 3, name: "TIDES" },
      warnings: [],
    });
  });

  test("begins at the file's own version", () => {
    expect(upgrade({ format: "tidetable", version: 2, name: "tides" }, steps, 3)).toMatchObject({
      value: { version: 3, name: "TIDES" },
    });
  });

  test("leaves a file of today alone", () => {
    const file = { format: "tidetable", version: 3, name: "tides" };
    expect(upgrade(file, steps, 3)).toMatchObject({ ok: true, value: file });
  });

  test("refuses a newer file, and says so", () => {
    expect(complaint({ format: "tidetable", version: 4 })).toBe(
      "The file was written by a newer Tidetable (version 4; this one reads up to 3).",
    );
  });

  test("refuses foreign files, and tells a result from a document", () => {
    expect(complaint({ openapi: "3.1.0" })).toBe("The file is not a Tidetable document.");
    expect(complaint([])).toBe("The file is not a Tidetable document.");
    expect(complaint({ status: "optimal", seconds: {} })).toContain("the result of a run");
  });

  test.each([undefined, "1", 0, 1.5, null])("refuses %j as a version", (version) => {
    expect(complaint({ format: "tidetable", version })).toContain("version");
  });

  test("refuses an old file that is not in its version's form", () => {
    expect(complaint({ format: "tidetable", version: 2 })).toContain("“names are in capitals”");
  });

  test("has a step from every version before today's", () => {
    const versions = Array.from({ length: documentVersion - 1 }, (_, index) => index + 1);
    expect(upgradeSteps.map((step) => step.from)).toEqual(versions);
  });
});
