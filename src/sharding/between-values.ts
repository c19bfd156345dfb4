/** Values between two others of a type, for ranges of equal width. */
import { floatingValue, signedValue } from "./compare-serialised.ts";
import type { CqlType, NativeType } from "./cql-type.ts";
import { bigEndian, joined, serialiseNative } from "./serialise-native.ts";
import { valueText } from "./value-text.ts";

/**
 * The value at `part` of `parts` equal steps from `least` to `greatest`: by size for numbers and times, by
 * their first differing characters for texts and bytes.
 */
export function valueBetween(
  type: CqlType,
  least: Uint8Array,
  greatest: Uint8Array,
  part: number,
  parts: number,
): Uint8Array {
  const name: NativeType = type.kind === "native" ? type.name : "blob";
  switch (name) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
    case "timestamp":
    case "time":
      return bigEndian(
        wholeBetween(signedValue(least), signedValue(greatest), part, parts),
        least.length,
      );
    case "date": {
      const [from, to] = [least, greatest].map((bytes) => BigInt.asUintN(32, signedValue(bytes)));
      return bigEndian(wholeBetween(from as bigint, to as bigint, part, parts), 4);
    }
    case "varint":
      return textual(
        name,
        String(wholeBetween(signedValue(least), signedValue(greatest), part, parts)),
      );
    case "float":
    case "double": {
      const from = floatingValue(least);
      return textual(name, String(from + ((floatingValue(greatest) - from) * part) / parts));
    }
    case "decimal": {
      const [from, to] = [least, greatest].map((bytes) => Number(valueText(type, bytes)));
      return textual(
        name,
        String((from as number) + (((to as number) - (from as number)) * part) / parts),
      );
    }
    default:
      return bytesBetween(name, least, greatest, part, parts);
  }
}

function wholeBetween(from: bigint, to: bigint, part: number, parts: number): bigint {
  return from + ((to - from) * BigInt(part)) / BigInt(parts);
}

function textual(type: NativeType, text: string): Uint8Array {
  return serialiseNative(type, text) as Uint8Array;
}

/** What both share, then six places between what follows in the two: of characters in texts, of bytes elsewhere. */
function bytesBetween(
  type: NativeType,
  least: Uint8Array,
  greatest: Uint8Array,
  part: number,
  parts: number,
): Uint8Array {
  let shared = 0;
  while (shared < least.length && least[shared] === greatest[shared]) shared += 1;
  const isText = type === "text" || type === "varchar" || type === "ascii";
  const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;
  const plain = isText && [...least, ...greatest].every(isPrintable);
  const [first, base] = plain ? [0x20, 95] : [0, 256];
  const places = Math.max(1, Math.min(6, greatest.length - shared));
  const number = (bytes: Uint8Array): number =>
    Array.from({ length: places }, (_, place) => (bytes[shared + place] ?? first) - first).reduce(
      (sum, digit) => sum * base + digit,
      0,
    );
  const from = number(least);
  let rest = Math.round(from + ((number(greatest) - from) * part) / parts);
  const middle = new Uint8Array(places);
  for (let place = places - 1; place >= 0; place -= 1) {
    middle[place] = first + (rest % base);
    rest = Math.floor(rest / base);
  }
  const found = joined([greatest.subarray(0, shared), middle]);
  if (type !== "uuid" && type !== "timeuuid") return found;
  // A UUID keeps its length and its version.
  const whole = joined([found, new Uint8Array(16 - found.length)]);
  whole[6] = ((least[6] ?? 0) & 0xf0) | ((whole[6] ?? 0) & 0x0f);
  return whole;
}
