import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Edit } from "./commands.ts";
import { equalDocuments } from "./history.ts";
import { documentFrom, readDocument } from "./read.ts";
import { renameAttribute, renameEntity, renameRole } from "./rename.ts";
import type { StudioDocument } from "./schema.ts";
import { problemKey, toProblem } from "./to-problem.ts";

function unwrapped<Value>(
  result: { ok: true; value: Value } | { ok: false; issues: unknown },
): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

const hotel = unwrapped(
  readDocument(readFileSync(new URL("./fixtures/v1.json", import.meta.url), "utf8")),
);

/** Users and the items they sell, some statements about them. */
function aDocument(...texts: string[]): StudioDocument {
  const statements = Object.fromEntries(texts.map((text, index) => [`q${index + 1}`, { text }]));
  return unwrapped(
    documentFrom({
      format: "tidetable",
      version: 1,
      name: "Auction",
      entities: {
        user: {
          count: 100,
          attributes: [
            { name: "id", type: "uuid" },
            { name: "name", type: "text" },
            { name: "item", type: "text" },
          ],
          identifier: ["id"],
        },
        item: {
          count: 1000,
          attributes: [
            { name: "id", type: "uuid" },
            { name: "name", type: "text" },
            { name: "price", type: "int", distinct: 100 },
          ],
          identifier: ["id"],
        },
        bid: {
          count: 9000,
          attributes: [{ name: "number", type: "int", distinct: 90 }],
          identifier: ["item", "number"],
        },
      },
      relationships: {
        sells: {
          multiplicity: "oneToMany",
          ends: [
            { entity: "user", role: "seller" },
            { entity: "item", role: "items" },
          ],
        },
        bids: {
          multiplicity: "oneToMany",
          ends: [
            { entity: "item", role: "item" },
            { entity: "bid", role: "bids" },
          ],
        },
      },
      statements,
      timeline: { steps: 1, stepSeconds: 60 },
      frequencies: Object.fromEntries(Object.keys(statements).map((id) => [id, 1])),
    }),
  );
}

function textsAfter(edit: Edit): string[] {
  return Object.values(unwrapped(edit).statements).map((statement) => statement.text);
}

describe("renameEntity", () => {
  test("rewrites the statements and leaves id, relationships and layout of the text alone", () => {
    const edit = renameEntity(
      aDocument(
        "SELECT user.name  -- the user's name\nFROM user.items WHERE items.name = ?",
        "SELECT item.name FROM item JOIN user u ON item.seller_id = u.id WHERE u.id = :user",
      ),
      "user",
      "person",
    );
    expect(textsAfter(edit)).toEqual([
      "SELECT person.name  -- the user's name\nFROM person.items WHERE items.name = ?",
      "SELECT item.name FROM item JOIN person u ON item.seller_id = u.id WHERE u.id = :user",
    ]);
    expect(Object.keys(unwrapped(edit).entities)).toEqual(["user", "item", "bid"]);
    expect(unwrapped(edit).relationships["sells"]?.ends[0].entity).toBe("user");
  });

  test("tells the entity from the role and the attribute of the same name", () => {
    const edit = renameEntity(
      aDocument(
        "SELECT bid.number FROM bid.item WHERE bid.item.id = ? AND item.price > ?",
        "SELECT user.item FROM user WHERE user.item = ?",
        "INSERT INTO bid SET number = ? AND CONNECT TO item(?)",
      ),
      "item",
      "product",
    );
    expect(textsAfter(edit).slice(1)).toEqual([
      "SELECT user.item FROM user WHERE user.item = ?",
      "INSERT INTO bid SET number = ? AND CONNECT TO item(?)",
    ]);
    expect(toProblem(unwrapped(edit)).ok).toBe(true);
  });

  test("quotes a name where the language demands it", () => {
    const edit = renameEntity(
      aDocument("SELECT user.name FROM user WHERE user.id = ?"),
      "user",
      "web user",
    );
    expect(textsAfter(edit)).toEqual([
      'SELECT "web user".name FROM "web user" WHERE "web user".id = ?',
    ]);
  });

  test("refuses a name that is taken, in other capitals too, and one that is no name", () => {
    expect(renameEntity(aDocument(), "user", "Item")).toMatchObject({
      ok: false,
      issues: [{ place: "entities/user", message: "Another entity is called Item." }],
    });
    expect(renameEntity(aDocument(), "user", "1st").ok).toBe(false);
  });

  test("drops the name where it is the id", () => {
    const renamed = unwrapped(renameEntity(hotel, "booking", "booking"));
    expect(renamed.entities["booking"]).not.toHaveProperty("name");
    expect(renamed.statements["cancel"]?.text).toBe(
      "UPDATE booking SET cancelled = ? WHERE booking.id = ?",
    );
  });

  test("leaves a statement that does not parse alone, and says so where it may be meant", () => {
    const document = aDocument("SELECT user.nam FROM user WHERE user.id = ?", "SELECT");
    const edit = renameEntity(document, "user", "person");
    expect(unwrapped(edit).statements).toEqual(document.statements);
    expect(edit.ok && edit.warnings.map((issue) => issue.place)).toEqual(["statements/q1"]);
  });

  test("rewrites statements while another entity is unfinished", () => {
    const document = aDocument("SELECT user.name FROM user WHERE user.id = ?");
    const unfinished: StudioDocument = {
      ...document,
      entities: { ...document.entities, fresh: { count: 1, attributes: [], identifier: [] } },
    };
    expect(toProblem(unfinished).ok).toBe(false);
    expect(textsAfter(renameEntity(unfinished, "user", "person"))).toEqual([
      "SELECT person.name FROM person WHERE person.id = ?",
    ]);
  });
});

describe("renameAttribute", () => {
  test("rewrites the statements that mean this entity's attribute, and only those", () => {
    const edit = renameAttribute(
      aDocument("SELECT user.name, items.name FROM user.items WHERE user.name = ?"),
      "user",
      "name",
      "nickname",
    );
    expect(textsAfter(edit)).toEqual([
      "SELECT user.nickname, items.name FROM user.items WHERE user.nickname = ?",
    ]);
  });

  test("rewrites short names, and foreign keys that are spelt in the manner of SQL", () => {
    const edit = renameAttribute(
      aDocument(
        "SELECT price FROM item WHERE id = ?",
        "SELECT b.number FROM bid b JOIN item i ON b.item_id = i.id WHERE i.price = ?",
        "UPDATE item SET price = ? WHERE id = ?",
      ),
      "item",
      "id",
      "key",
    );
    expect(textsAfter(edit)).toEqual([
      "SELECT price FROM item WHERE key = ?",
      "SELECT b.number FROM bid b JOIN item i ON b.item_key = i.key WHERE i.price = ?",
      "UPDATE item SET price = ? WHERE key = ?",
    ]);
  });

  test("writes a column out where its short name has become ambiguous", () => {
    const edit = renameAttribute(
      aDocument("SELECT price FROM user.items WHERE user.id = ?"),
      "user",
      "item",
      "price",
    );
    expect(textsAfter(edit)).toEqual(["SELECT item.price FROM item.seller WHERE user.id = ?"]);
  });

  test("follows identifiers, held keys and assumptions", () => {
    const held = unwrapped(renameAttribute(hotel, "booking", "guest_id", "visitor"));
    expect(held.relationships["guestBookings"]?.bind).toEqual({ visitor: "id" });
    const key = unwrapped(renameAttribute(hotel, "guest", "id", "number"));
    expect(key.relationships["guestBookings"]?.bind).toEqual({ guest_id: "number" });
    expect(key.entities["guest"]?.identifier).toEqual(["number"]);
    const start = unwrapped(renameAttribute(hotel, "booking", "start", "arrival"));
    expect(start.statements["stays"]?.assumptions).toEqual({
      selectivity: { "reservation.arrival": 0.2 },
    });
  });

  test("refuses the name of another attribute or of a role", () => {
    expect(renameAttribute(aDocument(), "user", "name", "ID").ok).toBe(false);
    expect(renameAttribute(aDocument(), "user", "name", "items").ok).toBe(false);
    expect(renameAttribute(aDocument(), "user", "gone", "x").ok).toBe(false);
  });
});

describe("renameRole", () => {
  test("rewrites paths, foreign keys, connections and identifiers", () => {
    const edit = renameRole(
      aDocument(
        "SELECT bid.number FROM item.bids WHERE item.id = ?",
        "SELECT bid.number, bid.item.id FROM bid WHERE bid.item_id = ?",
        "INSERT INTO bid SET number = ? AND CONNECT TO item(?)",
      ),
      "bids",
      0,
      "lot",
    );
    expect(textsAfter(edit)).toEqual([
      "SELECT bid.number FROM item.bids WHERE item.id = ?",
      "SELECT bid.number, bid.lot.id FROM bid WHERE bid.lot_id = ?",
      "INSERT INTO bid SET number = ? AND CONNECT TO lot(?)",
    ]);
    expect(unwrapped(edit).entities["bid"]?.identifier).toEqual(["lot", "number"]);
  });

  test("rewrites the other end", () => {
    const edit = renameRole(
      aDocument("SELECT items.name FROM user.items WHERE user.id = ?"),
      "sells",
      1,
      "wares",
    );
    expect(textsAfter(edit)).toEqual(["SELECT wares.name FROM user.wares WHERE user.id = ?"]);
  });

  test("refuses a name that is taken at the other end", () => {
    expect(renameRole(aDocument(), "sells", 1, "name").ok).toBe(false);
    expect(renameRole(aDocument(), "sells", 1, "item").ok).toBe(false);
    expect(renameRole(aDocument(), "sells", 1, "").ok).toBe(false);
  });
});

describe("renaming", () => {
  const entities = Object.keys(hotel.entities);
  const name = fc.stringMatching(/^[a-z][a-z_ -]{0,5}[a-z]$/);
  const renaming = fc.oneof(
    fc.tuple(fc.constantFrom(...entities), name).map(
      ([id, to]) =>
        (document: StudioDocument) =>
          renameEntity(document, id, to),
    ),
    fc
      .tuple(fc.constantFrom(...entities), fc.nat(4), name)
      .map(([id, index, to]) => (document: StudioDocument) => {
        const attributes = document.entities[id]?.attributes ?? [];
        const from = attributes[index % attributes.length]?.name ?? "";
        return renameAttribute(document, id, from, to);
      }),
    fc
      .tuple(
        fc.constantFrom(...Object.keys(hotel.relationships)),
        fc.constantFrom(0 as const, 1 as const),
        name,
      )
      .map(
        ([id, end, to]) =>
          (document: StudioDocument) =>
            renameRole(document, id, end, to),
      ),
  );

  test("keeps every statement parsing without a new complaint, whatever the names", () => {
    fc.assert(
      fc.property(fc.array(renaming, { minLength: 1, maxLength: 4 }), (renamings) => {
        const before = toProblem(hotel);
        const after = toProblem(
          renamings.reduce((document, rename) => {
            const edit = rename(document);
            return edit.ok ? edit.value : document;
          }, hotel),
        );
        expect(after.ok ? [] : after.issues).toEqual([]);
        if (!before.ok || !after.ok) return;
        expect(after.warnings).toHaveLength(before.warnings.length);
        expect(after.value.statements.map(({ kind }) => kind)).toEqual(
          before.value.statements.map(({ kind }) => kind),
        );
      }),
      { numRuns: 40 },
    );
  });

  test("there and back again means the same as before", () => {
    const back = unwrapped(
      renameAttribute(
        unwrapped(renameAttribute(hotel, "booking", "start", "arrival")),
        "booking",
        "arrival",
        "start",
      ),
    );
    expect(problemKey(back)).toBe(problemKey(hotel));
    const entity = unwrapped(
      renameEntity(unwrapped(renameEntity(hotel, "room", "x")), "room", "room"),
    );
    expect(equalDocuments(entity, hotel)).toBe(true);
  });
});
