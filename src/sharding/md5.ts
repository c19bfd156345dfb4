/**
 * MD5 (RFC 1321), for Cassandra's RandomPartitioner, ketama rings and hash mod N. A browser has no MD5 of
 * its own, and this one works on a stretch of a larger array without copying. Not for secrets.
 */

/** Left rotations of the four rounds (RFC 1321, 3.4). */
const rotations = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/** ⌊2³² · |sin(i + 1)|⌋. */
const sines: Int32Array = Int32Array.from(
  { length: 64 },
  (_, index) => Math.floor(2 ** 32 * Math.abs(Math.sin(index + 1))) | 0,
);

const shifts: Uint8Array = Uint8Array.from(
  { length: 64 },
  (_, index) => rotations[(index >> 4) as 0 | 1 | 2 | 3][(index & 3) as 0 | 1 | 2 | 3],
);

/** Which of the sixteen words of a block each step takes. */
const words: Uint8Array = Uint8Array.from({ length: 64 }, (_, index) => {
  const factors = [1, 5, 3, 7] as const;
  const starts = [0, 1, 5, 0] as const;
  const round = (index >> 4) as 0 | 1 | 2 | 3;
  return (factors[round] * index + starts[round]) & 15;
});

const state = new Int32Array(4);
const block = new Int32Array(16);

/**
 * The digest of `bytes[start … end)` as four little-endian words at `out[at … at + 4)`: the first byte of
 * the digest is the lowest byte of the first word.
 */
export function md5(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Int32Array,
  at: number,
): void {
  const length = end - start;
  state[0] = 0x67452301;
  state[1] = 0xefcdab89;
  state[2] = 0x98badcfe;
  state[3] = 0x10325476;
  const whole = start + (length & ~63);
  for (let offset = start; offset < whole; offset += 64) {
    load(bytes, offset, offset + 64);
    mix();
  }
  load(bytes, whole, end);
  const rest = end - whole;
  block[rest >> 2] = (block[rest >> 2] as number) | (0x80 << ((rest & 3) * 8));
  if (rest >= 56) {
    mix();
    block.fill(0);
  }
  block[14] = length << 3;
  block[15] = Math.floor(length / 2 ** 29);
  mix();
  out.set(state, at);
}

/** Up to 64 bytes into the block, the rest zero. */
function load(bytes: Uint8Array, start: number, end: number): void {
  block.fill(0);
  for (let offset = start; offset < end; offset += 1) {
    const at = offset - start;
    block[at >> 2] = (block[at >> 2] as number) | ((bytes[offset] as number) << ((at & 3) * 8));
  }
}

function mix(): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  // F, G, H and I of RFC 1321, 3.4, in loops of their own: a choice per step would cost as much as the step.
  for (let step = 0; step < 16; step += 1) {
    const turned = turn(a + ((b & c) | (~b & d)), step);
    a = d;
    d = c;
    c = b;
    b = (b + turned) | 0;
  }
  for (let step = 16; step < 32; step += 1) {
    const turned = turn(a + ((b & d) | (c & ~d)), step);
    a = d;
    d = c;
    c = b;
    b = (b + turned) | 0;
  }
  for (let step = 32; step < 48; step += 1) {
    const turned = turn(a + (b ^ c ^ d), step);
    a = d;
    d = c;
    c = b;
    b = (b + turned) | 0;
  }
  for (let step = 48; step < 64; step += 1) {
    const turned = turn(a + (c ^ (b | ~d)), step);
    a = d;
    d = c;
    c = b;
    b = (b + turned) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
}

/** What a step adds to b: the sum with its word and its sine, rotated. */
function turn(sum: number, step: number): number {
  const value =
    ((sum | 0) + (block[words[step] as number] as number) + (sines[step] as number)) | 0;
  const shift = shifts[step] as number;
  return (value << shift) | (value >>> (32 - shift));
}
