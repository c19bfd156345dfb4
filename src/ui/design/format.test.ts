import { describe, expect, it } from "vitest";
import {
  bytes,
  clock,
  count,
  duration,
  frequency,
  plural,
  readBytes,
  readNumber,
  signedPerCent,
  span,
  threeDigits,
} from "./format.ts";

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");

describe("numbers", () => {
  it("shows three significant digits without trailing zeros", () => {
    expect(threeDigits(1.2345)).toBe("1.23");
    expect(threeDigits(12.6)).toBe("12.6");
    expect(threeDigits(100)).toBe("100");
    expect(threeDigits(0.5)).toBe("0.5");
    expect(threeDigits(0.0012345)).toBe("0.00123");
    expect(threeDigits(-Math.PI)).toBe("−3.14");
    expect(threeDigits(0)).toBe("0");
  });

  it("carries a unit and the exact value", () => {
    expect(plain(bytes(3_900_000_000).text)).toBe("3.9 GB");
    expect(plain(bytes(3_900_000_000).exact)).toBe("3 900 000 000 bytes");
    expect(plain(duration(1240).text)).toBe("1.24 s");
    expect(plain(duration(8_280_000).text)).toBe("2.3 h");
    expect(plain(duration(90_720_000).text)).toBe("25.2 h");
    expect(plain(span(86_400))).toBe("1 d");
    expect(plain(count(12_600, "rows").text)).toBe("12.6 k rows");
    expect(plain(count(1, "rows").text)).toBe("1 row");
    expect(plain(count(1000, "rows").text)).toBe("1 k rows");
    expect(plain(frequency(0.05).text)).toBe("0.05 /s");
  });

  it("moves to the next unit where rounding would show a thousand", () => {
    expect(plain(bytes(999_600).text)).toBe("1 MB");
  });

  it("signs differences with per cent of the reference", () => {
    expect(plain(signedPerCent(80, 100))).toBe("−20 %");
    expect(plain(signedPerCent(100, 100))).toBe("±0 %");
    expect(plain(signedPerCent(150, 100))).toBe("+50 %");
  });

  it("counts things", () => {
    expect(plural(1, "table")).toBe("1 table");
    expect(plural(2, "query", "queries")).toBe("2 queries");
    expect(clock(3723)).toBe("1:02:03");
  });

  it("reads what people type", () => {
    expect(readNumber("1 200")).toBe(1200);
    expect(readNumber("1,5")).toBe(1.5);
    expect(readNumber("20k")).toBe(20_000);
    expect(readNumber("abc")).toBeUndefined();
    expect(readNumber("")).toBeUndefined();
    expect(readBytes("3.9 GB")).toBe(3.9e9);
    expect(readBytes("1200")).toBe(1200);
    expect(readBytes("ten GB")).toBeUndefined();
  });
});
