import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import { mostBytes, mostCharacters, shareFragment, textOfFragment } from "./share-link.ts";

function fragmentOf(text: string): string {
  const fragment = shareFragment(text);
  if (!fragment.ok) throw new Error(fragment.issues[0]?.message);
  return fragment.value;
}

const complaint = (fragment: string): string => {
  const read = textOfFragment(fragment);
  return read.ok ? `read ${read.value.length}` : (read.issues[0]?.message ?? "");
};
const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

describe("a project in a link", () => {
  test("comes out as it went in, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        const fragment = fragmentOf(text);
        expect(fragment).toMatch(/^share=1\.[\w.-]*$/);
        expect(textOfFragment(`#${fragment}`)).toMatchObject({ ok: true, value: text });
      }),
    );
  });

  test("is packed: a repetitive project takes little room", () => {
    expect(fragmentOf("SELECT user.id FROM user ".repeat(1000)).length).toBeLessThan(600);
  });

  test("a project too large for a link is refused with the way round", () => {
    expect(shareFragment("x".repeat(mostBytes + 1))).toMatchObject({
      ok: false,
      issues: [{ hint: "Share it as a file." }],
    });
  });
});

describe("a link that is not right is refused with the reason", () => {
  const good = fragmentOf(JSON.stringify({ format: "tidetable", name: "Tides", curve: [1, 2, 3] }));
  const [mark = "", length = "", sum = "", data = ""] = good.split(".");

  test("another fragment, another packing, missing parts, foreign characters", () => {
    expect(complaint("#/model")).toContain("holds no project");
    expect(complaint(good.replace("share=1", "share=2"))).toContain("not known here (2;");
    expect(complaint(`${mark}.${length}`)).toContain("parts of it are missing");
    expect(complaint(`${mark}.${length}.${sum}.ab<script>`)).toContain("foreign characters");
    expect(complaint(`${mark}.-1.${sum}.${data}`)).toContain("parts of it are missing");
  });

  test("cut off anywhere", () => {
    for (let end = mark.length + 1; end < good.length; end += 1)
      expect(complaint(good.slice(0, end))).toMatch(/damaged/);
  });

  test("altered anywhere", () => {
    for (let at = good.length - data.length; at < good.length; at += 1) {
      const other = good.charAt(at) === "A" ? "Z" : "A";
      const altered = `${good.slice(0, at)}${other}${good.slice(at + 1)}`;
      const read = textOfFragment(altered);
      // The last character may hold bits that belong to no byte.
      if (read.ok) expect(read).toEqual(textOfFragment(good));
      else expect(read.issues[0]?.message).toMatch(/damaged|not what it says/);
    }
  });

  test("too long to be looked into", () => {
    expect(complaint(`share=1.a.b.${"A".repeat(mostCharacters)}`)).toContain("too long");
  });

  test("a bomb that owns up is not inflated, and one that lies is left at once", () => {
    const bomb = base64Url(deflateSync(new Uint8Array(50_000_000)));
    expect(bomb.length).toBeLessThan(mostCharacters);
    expect(complaint(`share=1.${(50_000_000).toString(36)}.0.${bomb}`)).toContain("too large");
    const before = process.memoryUsage().external;
    expect(complaint(`share=1.${(1000).toString(36)}.0.${bomb}`)).toContain("more in it");
    expect(process.memoryUsage().external - before).toBeLessThan(20_000_000);
  });
});
