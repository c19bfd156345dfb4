/** Text as UTF-8. The pure folders know neither `TextEncoder` nor Node's Buffer. */

/** The bytes of a text; half of a surrogate pair becomes U+FFFD, as everywhere. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    const point = codePoint(text, index);
    if (point > 0xffff) index += 1;
    end = writePoint(bytes, end, point);
  }
  return bytes.slice(0, end);
}

function codePoint(text: string, index: number): number {
  const point = text.codePointAt(index) as number;
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

function writePoint(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  const size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  for (let index = size - 1; index > 0; index -= 1)
    bytes[at + index] = 0x80 | ((point >> (6 * (size - 1 - index))) & 0x3f);
  const lead = size === 2 ? 0xc0 : size === 3 ? 0xe0 : 0xf0;
  bytes[at] = lead | (point >> (6 * (size - 1)));
  return at + size;
}
