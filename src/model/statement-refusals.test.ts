import { describe, expect, it } from "vitest";
import type { EntityGraph } from "./entity-graph.ts";
import { auction, drawnGraph, messages, orderEntry } from "./statement-test-graphs.ts";
import { parseStatement } from "./statement-text.ts";

/** All mistakes in a text, each as `stretch → message hint`. */
function complaints(text: string, graph: EntityGraph = auction): string[] {
  const result = parseStatement({ id: "q7", label: "", group: "", text }, graph);
  if (result.ok) return [];
  return result.issues.map(({ place, severity, message, hint, span }) => {
    expect(place).toBe("statements/q7");
    expect(severity).toBe("error");
    expect(hint).toMatch(/^.+[.?…]$/);
    return `${text.slice(span?.start, span?.end)} → ${message} ${hint}`;
  });
}

const where = (condition: string): string =>
  `SELECT user.name FROM user WHERE user.id = ? AND ${condition}`;

describe("what is recognised and refused, where it stands", () => {
  it.each<[text: string, ...expected: RegExp[]]>([
    [where("user.name = ? OR user.rating = 3"), /^OR → OR is not supported.*IN for several values/],
    [where("NOT user.active = true"), /^NOT → NOT is not supported/],
    [where("user.rating NOT IN (1, 2)"), /^NOT → NOT is not supported/],
    [where("user.name LIKE 'a%'"), /^LIKE → .*prefix.*attribute/],
    [where("user.name NOT LIKE 'a%'"), /^NOT → /, /^LIKE → /],
    [where("user.name <> 'a'"), /^<> → ≠ is not supported/],
    [where("user.name != 'a'"), /^!= → ≠ is not supported/],
    [where("user.name IS NOT NULL AND user.rating = 1"), /^IS → IS NULL is not supported/],
    [where("user.name = NULL"), /^NULL → NULL is not supported/],
    [
      where("user.rating IN (SELECT rating FROM user WHERE (id = 1))"),
      /^\(SELECT rating FROM user WHERE \(id = 1\)\) → Sub-queries.*statement of its own/,
    ],
    [where("EXISTS (SELECT * FROM item)"), /^\(SELECT \* FROM item\) → Sub-queries/],
    [where("user.rating > (SELECT 3)"), /^\(SELECT 3\) → Sub-queries/],
    ["SELECT name FROM (SELECT * FROM user) x", /^\(SELECT \* FROM user\) → Sub-queries/],
    ["WITH x AS (SELECT 1) SELECT * FROM x", /^WITH → WITH is not supported/],
    ["SELECT DISTINCT user.name FROM user WHERE id = ?", /^DISTINCT → .*GROUP BY/],
    ["SELECT count(DISTINCT user.name) FROM user WHERE id = ?", /^DISTINCT → .*GROUP BY/],
    [
      "SELECT name, count(*) FROM user WHERE id = ? GROUP BY name HAVING count(*) > 3 ORDER BY name",
      /^HAVING → HAVING is not supported/,
    ],
    ["SELECT id FROM user WHERE id = ? UNION SELECT id FROM item", /^UNION → /],
    ["SELECT upper(name) FROM user WHERE id = ?", /^upper\(name\) → The function upper/],
    [where("lower(user.name) = ?"), /^lower\(user\.name\) → The function lower/],
    [where("user.joined > now()"), /^now\(\) → The function now/],
    [where("max(user.rating) = 3"), /^max\(user\.rating\) → The aggregate max/],
    ["SELECT rating + 1 FROM user WHERE id = ?", /^\+ → Arithmetic/],
    [where("user.rating * 2 = ?"), /^\* → Arithmetic/],
    [where("user.rating = ? - 3 * 2"), /^- → Arithmetic/],
    [
      where("(user.rating, user.name) >= (?, ?)"),
      /^\(user\.rating, user\.name\) → Comparing several/,
    ],
    [where("1 = 1"), /^1 = 1 → This compares two values/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT 0", /^0 → LIMIT needs a whole number/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT 2.5", /^2\.5 → LIMIT needs a whole number/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT -1", /^-1 → LIMIT needs a whole number/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT ?", /^\? → LIMIT needs a whole number/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT", /^ → LIMIT needs a whole number/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT 5, 10", /^, 10 → LIMIT with an offset/],
    ["SELECT user.name FROM user WHERE id = ? LIMIT 5 OFFSET 10", /^OFFSET → .*range/],
    ["SELECT user.name FROM user WHERE id = ? ALLOW FILTERING", /^ALLOW → .*Leave it out/],
    ["SELECT user.name FROM user WHERE id = ? ORDER BY name NULLS LAST", /^NULLS LAST → /],
    ["SELECT user.name FROM user WHERE id = ? ORDER BY 1", /^1 → Here should stand a column/],
    ["SELECT 'a', ? FROM user WHERE id = ?", /^'a' → Here should stand/, /^\? → Here should stand/],
  ])("%s", (text, ...expected) => {
    const found = complaints(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, each] of expected.entries()) expect(found[index]).toMatch(each);
  });
});

describe("what makes no sense", () => {
  it.each<[text: string, ...expected: RegExp[]]>([
    [where("user.id = ?"), /^user\.id = \? → id is compared by = twice/],
    [where("user.id > ?"), /^user\.id > \? → id is compared in two ways/],
    [
      where("user.rating IN ? AND user.rating IN (1, 2)"),
      /^user\.rating IN \(1, 2\) → .* by IN twice/,
    ],
    [where("user.rating > 1 AND user.rating >= 2"), /^user\.rating >= 2 → .*bound on one side/],
    [
      where("user.rating BETWEEN 1 AND 2 AND user.rating > 1"),
      /^user\.rating > 1 → .*more than one range/,
    ],
    [where("user.views = 3"), /^user\.views → The counter views cannot stand in WHERE.*bigint/],
    ["SELECT name FROM user WHERE id = ? ORDER BY views", /^views → The counter .* ORDER BY/],
    [
      "SELECT count(*) FROM user WHERE id = ? GROUP BY user.views",
      /^user\.views → The counter .* GROUP BY/,
    ],
    [where("user.active > false"), /^user\.active > false → A range needs an order/],
    [where("user.photo < 'x'"), /^user\.photo < 'x' → A range needs an order/],
    [where("user.rating = 'many'"), /^'many' → rating is int and cannot be a text/],
    [where("user.rating = 1.5"), /^1\.5 → rating is int and cannot be 1\.5.*whole number/],
    [where("user.name IN ('a', 3)"), /^3 → name is text and cannot be 3/],
    [where("user.active = 1"), /^1 → active is boolean.*true or false/],
    [where("user.joined BETWEEN true AND ?"), /^true → joined is date/],
    [where("user.rating = 12345678901234567890"), /^1234567890.* → .*too large to be kept exactly/],
    [
      "SELECT sum(name) FROM user WHERE id = ?",
      /^sum\(name\) → sum needs numbers, but name is text/,
    ],
    ["SELECT avg(joined) FROM user WHERE id = ?", /^avg\(joined\) → avg needs numbers/],
    ["SELECT min(photo) FROM user WHERE id = ?", /^min\(photo\) → min needs an order/],
    ["SELECT sum(*) FROM user WHERE id = ?", /^\* → sum\(\*\) has no column/],
    [
      "SELECT name, count(*) FROM user WHERE id = ?",
      /^name → user\.name is selected beside aggregates/,
    ],
    [
      "SELECT user.*, count(*) FROM user WHERE id = ? GROUP BY user.name",
      /^user\.\* → user\.id is selected beside/,
    ],
    [
      "SELECT user.name, items.name FROM user.items WHERE user.id = ? GROUP BY user.id",
      /^items\.name → user\.items\.name is selected beside/,
    ],
    [
      "SELECT tag.colour, item.name, count(*) FROM item.tags WHERE item.id = ? GROUP BY tag.word",
      /^item\.name → item\.name is selected beside/,
    ],
    [
      "SELECT tag.colour, item.name, count(*) FROM item.tags WHERE item.id = ? GROUP BY item.id",
      /^tag\.colour → item\.tags\.colour is selected beside/,
    ],
    [
      "SELECT name, count(*) FROM user WHERE id = ? GROUP BY name ORDER BY rating",
      /^rating → user\.rating orders groups/,
    ],
    ["SELECT user.* AS u FROM user WHERE id = ?", /^u → Several columns cannot share an alias/],
    ["SELECT user FROM user WHERE id = ?", /^user → user names an entity, not a column/],
    ["SELECT user.items FROM user WHERE id = ?", /^items → items is a role of user/],
    ["SELECT item.name FROM user WHERE id = ?", /^item → item is not in FROM.*user\.items/],
    ["SELECT name FROM user.items WHERE user.id = ?", /^name → name can mean user or user\.items/],
    [
      "SELECT id FROM user.name WHERE id = ?",
      /^name → user has no role called name.*an attribute of user/,
    ],
    ["SELECT id FROM items WHERE id = ?", /^items → There is no entity called items.*item/],
    [
      "SELECT id FROM bidder WHERE id = ?",
      /^bidder → There is no entity.*role of bid: write bid\.bidder/,
    ],
    ["SELECT user.id FROM item.user, owner", /^owner → There is no entity.*profile\.owner/],
    ["SELECT item.id FROM item.user, item.user", /^item\.user → This path names nothing/],
  ])("%s", (text, ...expected) => {
    const found = complaints(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, each] of expected.entries()) expect(found[index]).toMatch(each);
  });

  it.each<[text: string, at: string, says: RegExp]>([
    ["SELECT id FROM item.user.items WHERE id = ?", "items", /siblings are not supported/],
    ["SELECT id FROM item.tags.tagged WHERE id = ?", "tagged", /siblings are not supported/],
    ["SELECT id FROM user.items.user WHERE id = ?", "user", /back to the user record we came from/],
    ["SELECT id FROM user.profile.owner WHERE id = ?", "owner", /back to the user record/],
    ["SELECT item.id FROM item.user, user.items WHERE item.id = ?", "items", /siblings/],
    ["SELECT user.items.user.name FROM user WHERE id = ?", "user", /back to the user record/],
    ["SELECT item.user.items.* FROM item WHERE id = ?", "items", /siblings are not supported/],
  ])("there and back: %s", (text, at, says) => {
    const [found, ...others] = complaints(text);
    expect(others).toEqual([]);
    expect(found).toMatch(new RegExp(`^${at} → .*${says.source}`));
  });

  it("asks which of two records is meant", () => {
    expect(
      complaints(
        "SELECT User.username FROM Message.sender, Message.recipient WHERE body = ?",
        messages,
      ),
    ).toEqual([
      "User → User can mean Message.sender or Message.recipient. Write out which, beginning with Message.sender, or give them aliases in FROM.",
    ]);
  });
});

describe("changes that cannot be", () => {
  it.each<[text: string, ...expected: RegExp[]]>([
    ["INSERT INTO item SET id = ?", /^item → The new item lacks its user.*CONNECT TO user\(\?\)/],
    ["INSERT INTO item SET name = ?", /lacks its user/, /^item → .*lacks its identifier id/],
    [
      "INSERT INTO item SET nmae = ?",
      /^nmae → item has no attribute called nmae. Did you mean name\?/,
    ],
    [
      "INSERT INTO item SET id = ? AND CONNECT TO user(?, ?)",
      /^user\(\?, \?\) → user is identified by id: 1 values, not 2/,
    ],
    ["INSERT INTO item SET id = ? AND CONNECT TO usr(?)", /^usr → item has no role.*mean user\?/],
    [
      "INSERT INTO item SET id = ? AND CONNECT TO user(?), user(?)",
      /^user\(\?\) → The item is connected to its user twice/,
    ],
    [
      "INSERT INTO user SET id = ? AND CONNECT TO region(?), items(?)",
      /^items\(\?\) → Every item already has its user/,
    ],
    ["INSERT INTO item SET id = ?, id = ? AND CONNECT TO user(?)", /^id = \? → id is set twice/],
    ["INSERT INTO item SET id = ? AND name = ?", /^AND → .*separated by commas/],
    [
      "INSERT INTO item (id, name) VALUES (?)",
      /^\(id, name\) VALUES \(\?\) → 2 attributes cannot take 1/,
    ],
    [
      "INSERT INTO item (id, user_id) VALUES (?, ?), (?, ?)",
      /^, → A statement inserts one record.*frequency/,
    ],
    ["INSERT INTO item SELECT * FROM item", /^SELECT → INSERT … SELECT is not supported/],
    [
      "INSERT INTO user SET id = ?, region_id = ?, views = 0",
      /^views = 0 → The counter views cannot be set/,
    ],
    [
      "UPDATE user SET views = views + 1 WHERE id = ?",
      /^views \+ 1 → Adding to a stored value.*increment/,
    ],
    ["UPDATE user SET id = ? WHERE id = ?", /^id = \? → id is part of the identifier/],
    [
      "UPDATE item SET user_id = ? WHERE id = ?",
      /^user_id = \? → user\.id says which user.*CONNECT item\(\?\) TO user\(\?\)/,
    ],
    ["UPDATE user SET name = ?", /^user → This would update all records/],
    ["DELETE FROM user", /^user → This would delete all records/],
    [
      "UPDATE user SET name = rating WHERE id = ?",
      /^rating → Here should stand a value, not the column/,
    ],
    ["UPDATE user SET rating = 'x' WHERE id = ?", /^'x' → rating is int/],
    [
      "UPDATE user FROM item.user SET nam = ? WHERE item.id = ?",
      /^nam → user has no attribute.*name\?/,
    ],
    ["UPDATE bid FROM item.user SET amount = 1 WHERE item.id = ?", /^bid → bid is not in FROM/],
    [
      "DELETE FROM user WHERE id = ? LIMIT 3",
      /^LIMIT → LIMIT cannot stand in a statement that changes/,
    ],
    ["DISCONNECT item(?) FROM user(?)", /^user\(\?\) → Every item has its user.*optional/],
    ["CONNECT item(?) TO usr(?)", /^usr → item has no role/],
    ["CONNECT itme(?) TO user(?)", /^itme → There is no entity.*item\?/],
    ["CONNECT item(?)", /^ → Here should stand TO/],
    ["CONNECT item(?) TO user(3)", /^3 → id is uuid/],
  ])("%s", (text, ...expected) => {
    const found = complaints(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, each] of expected.entries()) expect(found[index]).toMatch(each);
  });

  it("keeps a link that identifies the child", () => {
    expect(complaints("CONNECT orders(?, ?, ?) TO customer(?, ?, ?)", orderEntry)).toEqual([
      expect.stringMatching(/^customer\(\?, \?, \?\) → The customer is part of the identifier/),
    ]);
  });

  it("takes a parent's key once, by its attributes or by CONNECT", () => {
    const text = "INSERT INTO orders SET o_id = ?, o_w_id = ? AND CONNECT TO customer(?, ?, ?)";
    expect(complaints(text, orderEntry)).toEqual([
      expect.stringMatching(/^o_w_id = \? → o_w_id is the key of customer/),
    ]);
    expect(complaints("INSERT INTO orders SET o_id = ?, o_w_id = ?", orderEntry)).toEqual([
      expect.stringMatching(/^orders → .*lacks its customer.*o_d_id = \?, o_c_id = \?/),
    ]);
  });

  it("takes all of a parent's key, once where two parents share a part of it", () => {
    const graph = drawnGraph(
      { country: "*c int", state: "*in, *s int", city: "*n int, c int, s int", pair: "*p int" },
      [
        "country[in] 1:N state[states]",
        "country[country] 1:N city[cities] c=c",
        "state[state] 1:N pair[pairs]",
      ],
    );
    expect(complaints("INSERT INTO pair SET p = ?, state.s = ?", graph)).toEqual([
      expect.stringMatching(/^state\.s = \? → Only a part of the key of state.*state\(\?, \?\)/),
    ]);
  });
});

describe("slips of the hand", () => {
  it("are all shown at once", () => {
    expect(
      complaints("SELECT user.nmae FROM user WHERE user.raiting = ? ORDER BY user.joind"),
    ).toEqual([
      "nmae → user has no attribute called nmae. Did you mean name?",
      "raiting → user has no attribute called raiting. Did you mean rating?",
      "joind → user has no attribute called joind. Did you mean joined?",
    ]);
    expect(
      complaints("SELECT usr.name FROM user.itms.bidz WHERE user.id = ? OR user.id = 3"),
    ).toEqual([
      expect.stringMatching(/^usr → .*Did you mean user\?/),
      expect.stringMatching(/^itms → .*Did you mean items\?/),
      expect.stringMatching(/^bidz → .*Did you mean bids\?/),
      expect.stringMatching(/^OR → /),
      expect.stringMatching(/^user\.id = 3 → .*twice/),
      expect.stringMatching(/^3 → id is uuid/),
    ]);
  });

  it("in keywords are seen through", () => {
    expect(
      complaints(
        "SELCT user.name FORM user JION item i ON i.user_id = user.id WERE user.id = ? ODER BY nme LIMT 3",
      ),
    ).toEqual([
      expect.stringMatching(/^SELCT → .*Did you mean SELECT\?/),
      expect.stringMatching(/^FORM → .*Did you mean FROM\?/),
      expect.stringMatching(/^JION → .*Did you mean JOIN\?/),
      expect.stringMatching(/^WERE → .*Did you mean WHERE\?/),
      expect.stringMatching(/^ODER → .*Did you mean ORDER BY\?/),
      expect.stringMatching(/^nme → .*Did you mean name\?/),
      expect.stringMatching(/^LIMT → .*Did you mean LIMIT\?/),
    ]);
  });

  it.each<[text: string, ...expected: RegExp[]]>([
    ["", /^ → The statement is empty/],
    ["-- nothing", /^ → The statement is empty/],
    ["; SELECT", /^; → A statement cannot begin with “;”/],
    ["CREATE TABLE user", /^CREATE → A statement cannot begin with “CREATE”/],
    ["SELECT FROM user WHERE id = ?", /^FROM → Here should stand a column, not “FROM”/],
    ["SELECT name, FROM user WHERE id = ?", /^FROM → Here should stand a column/],
    ["SELECT user. FROM user WHERE id = ?", /^FROM → After a dot should stand a name/],
    ["SELECT name WHERE id = ?", /^WHERE → Here should stand FROM/],
    ["SELECT name FROM user WHERE", /^ → Here should stand a column or a value, not the end/],
    ["SELECT name FROM user WHERE id", /^ → Here should stand a comparison, not the end/],
    ["SELECT name FROM user WHERE id = ? AND", /^ → Here should stand a column or a value/],
    ["SELECT name FROM user WHERE (id = ?", /^\( → This bracket is not closed/],
    ["SELECT name FROM user WHERE id = ?)", /^\) → “\)” is not expected here/],
    ["SELECT name FROM user WHERE id IN (?, ?", /^\( → This bracket is not closed/],
    [
      "SELECT name FROM user WHERE id BETWEEN ? ORDER BY name",
      /^ORDER → BETWEEN lacks its second bound/,
    ],
    ["SELECT name FROM user WHERE ? IN (1)", /^\? → Before IN should stand a column/],
    ["SELECT name FROM user WHERE id = ? GROUP name", /^GROUP → GROUP lacks its BY/],
    [
      "SELECT name FROM user WHERE id = ? LIMIT 3 ORDER BY name",
      /^ORDER BY → ORDER BY stands too late/,
    ],
    ["SELECT name FROM user WHERE id = ? WHERE name = ?", /^WHERE → There are two WHERE clauses/],
    [
      "SELECT name FROM user WHERE id = ?; DELETE FROM user",
      /^DELETE FROM user → The statement ends before/,
    ],
    ["SELECT name FROM user WHERE id = 'x", /^'x → A text value is not closed/],
    ["SELECT name FROM user WHERE id = ? /* x", /^\/\* x → A comment is not closed/],
    ['SELECT name FROM "user WHERE', /^"user WHERE → A quoted name is not closed/, /no entity/],
    [
      "SELECT name FROM [user] WHERE id = $1",
      /^\[user\] → .*double quotes/,
      /^\$1 → .*\? or as :name/,
    ],
    ["SELECT name FROM user WHERE id = ? & name = ?", /^& → “&” has no meaning/, /^name → /],
    ["SELECT name FROM user € WHERE id = ?", /^€ → “€” has no meaning/],
    ["DELETE user WHERE id = ?", /^user → Here should stand FROM/],
    ["UPDATE user name = ?", /^name → Here should stand SET/],
    ["UPDATE user SET name ? WHERE id = ?", /^\? → Here should stand “=”/],
    ["INSERT item SET id = ?", /^item → Here should stand INTO/],
    ["INSERT INTO item (id VALUES (?)", /^\( → The list of attributes is not closed/],
    ["INSERT INTO item CONNECT TO user", /^ → Here should stand “\(”/],
  ])("%s", (text, ...expected) => {
    const found = complaints(text);
    for (const [index, each] of expected.entries()) expect(found[index]).toMatch(each);
    expect(found).toHaveLength(expected.length);
  });
});
