import { describe, expect, it } from "vitest";
import { setStatementText } from "#document/commands.ts";
import { memoryStorage } from "#document/indexed-db.ts";
import { createDocumentStore } from "#document/store.ts";
import { hotelDocument } from "./hotel-specimen-document.ts";
import { type CopyPlace, keepUnsaved, restoreUnsaved } from "./unsaved-copy.ts";

function aPlace(): { readonly kept: Map<string, string>; readonly place: CopyPlace } {
  const kept = new Map<string, string>();
  const place: CopyPlace = () => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  });
  return { kept, place };
}

const typed = "SELECT half";

describe("the copy of what was not yet saved", () => {
  it("brings back what was being typed when the page went away", async () => {
    const storage = memoryStorage();
    const { kept, place } = aPlace();
    const before = createDocumentStore({ storage, document: hotelDocument, delay: 60_000 });
    await before.getState().open(hotelDocument);
    before.getState().begin("Type");
    before.getState().preview((document) => setStatementText(document, "q1", typed));
    keepUnsaved(before, place);

    const after = createDocumentStore({ storage, document: hotelDocument, delay: 60_000 });
    await after.getState().openLast();
    restoreUnsaved(after, place);
    expect(after.getState().document.statements["q1"]?.text).toBe(typed);
    expect(kept.size).toBe(0);
    after.getState().undo();
    expect(after.getState().document.statements["q1"]?.text).not.toBe(typed);
  });

  it("is not kept when everything is saved, and not taken over by another project", async () => {
    const { kept, place } = aPlace();
    const one = createDocumentStore({ storage: memoryStorage(), document: hotelDocument });
    await one.getState().open(hotelDocument);
    keepUnsaved(one, place);
    expect(kept.size).toBe(0);

    one.getState().begin("Type");
    one.getState().preview((document) => setStatementText(document, "q1", typed));
    keepUnsaved(one, place);
    const other = createDocumentStore({ storage: memoryStorage(), document: hotelDocument });
    restoreUnsaved(other, place);
    expect(other.getState().document).toBe(hotelDocument);
    expect(kept.size).toBe(1);
  });

  it("survives a place that is blocked and a copy that is broken", () => {
    const documents = createDocumentStore({ storage: memoryStorage(), document: hotelDocument });
    const blocked: CopyPlace = () => {
      throw new Error("blocked");
    };
    const broken: CopyPlace = () => ({
      getItem: () => "{",
      setItem: () => undefined,
      removeItem: () => undefined,
    });
    documents.getState().begin("Type");
    expect(() => keepUnsaved(documents, blocked)).not.toThrow();
    expect(() => restoreUnsaved(documents, blocked)).not.toThrow();
    expect(() => restoreUnsaved(documents, broken)).not.toThrow();
  });
});
