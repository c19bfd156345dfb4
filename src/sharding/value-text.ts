/** Serialised values as a person reads them: the way back from `serialise`, for borders and probes. */
import { floatingValue, signedValue } from "./compare-serialised.ts";
import type { CqlType } from "./cql-type.ts";

/** The text of a value; bytes that no text of the type stands for are written as a blob, `0x…`. */
export function valueText(type: CqlType, bytes: Uint8Array): string {
  const blob = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  if (type.kind !== "native") return blob;
  switch (type.name) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
    case "varint":
      return String(signedValue(bytes));
    case "decimal":
      return decimalText(signedValue(bytes.subarray(4)), Number(signedValue(bytes.subarray(0, 4))));
    case "float":
    case "double":
      return String(floatingValue(bytes));
    case "boolean":
      return String(bytes[0] !== 0);
    case "date":
      return dateText(Number(BigInt.asUintN(32, signedValue(bytes))) - 2 ** 31);
    case "timestamp":
      return timeText(Number(signedValue(bytes)));
    case "time":
      return clockText(signedValue(bytes));
    case "uuid":
    case "timeuuid":
      return blob.slice(2).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    case "inet":
      return bytes.length === 4
        ? [...bytes].join(".")
        : (blob.slice(2).match(/.{4}/g) ?? []).join(":");
    case "blob":
      return blob;
    default:
      return utf8Text(bytes) ?? blob;
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0 || scale > 40) return scale === 0 ? String(unscaled) : `${unscaled}e${-scale}`;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function dateText(days: number): string {
  const at = new Date(days * 86_400_000);
  const isPlain = at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999;
  return isPlain ? at.toISOString().slice(0, 10) : String(days + 2 ** 31);
}

function timeText(milliseconds: number): string {
  const isPlain = milliseconds >= -62_167_219_200_000 && milliseconds < 253_402_300_800_000;
  return isPlain ? new Date(milliseconds).toISOString() : String(milliseconds);
}

function clockText(nanoseconds: bigint): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000_000n) * 1000).toISOString().slice(11, 19);
  const rest = nanoseconds % 1_000_000_000n;
  return rest === 0n ? seconds : `${seconds}.${String(rest).padStart(9, "0")}`;
}

/** Undefined for bytes that are no UTF-8, or that a person could not read. */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    const text = decodeURIComponent(
      [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    );
    return /\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
