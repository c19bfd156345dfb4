/**
 * A project's file as the fragment of a link, and back: `1.LENGTH.SUM.DATA`.
 *
 * DATA is the text, deflated, in base64url; LENGTH its bytes before deflating and SUM a check sum of
 * them, in base 36. A fragment is never sent to a server. Promises of reading, since anybody can write
 * a link: what is too long is not looked into; what says that it will be too large is not inflated; and
 * what lies about it is inflated in small pieces and left as soon as it exceeds what it said.
 */
import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { anError, type Result } from "#model/issue.ts";

/** What a link of ours begins with, behind `#`. The number is the version of the packing. */
export const shareMark = "share=";
const version = "1";

/** Longest fragment, in characters: browsers take a little more, in and out of their address bar. */
export const mostCharacters = 1_000_000;
/** Largest project that is read from a link, in bytes. */
export const mostBytes = 8_000_000;
/** Characters within which a link gets through mail and chat unharmed. */
export const easyCharacters = 8_000;

/** Bytes of the packed text that are inflated at once: they become at most a thousand times as many. */
const piece = 512;

/** The fragment, without `#`; an issue where the project is too large for a link. */
export function shareFragment(text: string): Result<string> {
  const bytes = strToU8(text);
  const data = toBase64Url(deflateSync(bytes, { level: 9 }));
  const fragment = `${shareMark}${version}.${bytes.length.toString(36)}.${checkSum(bytes)}.${data}`;
  if (bytes.length > mostBytes || fragment.length > mostCharacters)
    return refused(
      `The project is too large for a link (${fragment.length} characters of at most ${mostCharacters}).`,
      "Share it as a file.",
    );
  return { ok: true, value: fragment, warnings: [] };
}

/** The text of a project from a fragment, with or without `#`; or why it cannot be had. */
export function textOfFragment(fragment: string): Result<string> {
  const body = fragment.replace(/^#/, "");
  if (!body.startsWith(shareMark)) return refused("The link holds no project.", askAgain);
  if (body.length > mostCharacters)
    return refused(
      `The link is too long (${body.length} characters of at most ${mostCharacters}).`,
      "Ask for the project as a file.",
    );
  const parts = body.slice(shareMark.length).split(".");
  const [found = "", length = "", sum = "", data = ""] = parts;
  if (found !== version)
    return refused(
      `The link is packed in a way that is not known here (${found.slice(0, 12) || "none"}; this Tidetable reads ${version}).`,
      "Reload the page or use the newer Tidetable that made the link.",
    );
  if (parts.length !== 4 || !/^[0-9a-z]{1,7}$/.test(length))
    return refused("The link is damaged: parts of it are missing.", askAgain);
  const size = Number.parseInt(length, 36);
  if (size > mostBytes)
    return refused(
      `The project in the link would be too large (${size} bytes of at most ${mostBytes}).`,
      "Ask for the project as a file.",
    );
  const packed = fromBase64Url(data);
  if (!packed) return refused("The link is damaged: there are foreign characters in it.", askAgain);
  return unpacked(packed, size, sum);
}

const askAgain = "Copy the whole link once more, or ask for the project as a file.";

function unpacked(packed: Uint8Array, size: number, sum: string): Result<string> {
  const bytes = new Uint8Array(size);
  let at = 0;
  let isTooMuch = false;
  const inflate = new Inflate((chunk) => {
    if (at + chunk.length > size) isTooMuch = true;
    else bytes.set(chunk, at);
    at += chunk.length;
  });
  try {
    for (let from = 0; from < packed.length && !isTooMuch; from += piece) {
      const next = Math.min(packed.length, from + piece);
      inflate.push(packed.subarray(from, next), next === packed.length);
    }
  } catch {
    return refused("The link is damaged: the project in it breaks off.", askAgain);
  }
  if (isTooMuch)
    return refused(
      `The link is not what it says: there is more in it than the ${size} bytes it speaks of.`,
      "Do not trust it; ask for the project as a file.",
    );
  if (at < size || checkSum(bytes) !== sum)
    return refused("The link is damaged: some of the project is missing or altered.", askAgain);
  return { ok: true, value: strFromU8(bytes), warnings: [] };
}

/** FNV-1a over 32 bits, in base 36: against damage on the way, not against malice. */
function checkSum(bytes: Uint8Array): string {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(36);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function toBase64Url(bytes: Uint8Array): string {
  const text: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.subarray(at, at + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const length = b === undefined ? 2 : c === undefined ? 3 : 4;
    for (let place = 0; place < length; place += 1)
      text.push(letters.charAt((bits >>> (18 - 6 * place)) & 63));
  }
  return text.join("");
}

/** Undefined where the text holds another character, or has a length that no bytes have. */
function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  for (let at = 0, byte = 0; at < text.length; at += 4) {
    let bits = 0;
    for (let place = 0; place < 4; place += 1)
      bits = (bits << 6) | Math.max(0, letters.indexOf(text.charAt(at + place) || "A"));
    for (let place = 0; place < 3 && byte < bytes.length; place += 1, byte += 1)
      bytes[byte] = (bits >>> (16 - 8 * place)) & 255;
  }
  return bytes;
}

function refused(message: string, hint: string): Result<never> {
  return { ok: false, issues: [anError("", message, hint)] };
}
