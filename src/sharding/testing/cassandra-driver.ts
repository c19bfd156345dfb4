/** The Cassandra driver's own encoder and tokenizers, which the tests take as the judge of ours. */
// biome-ignore-all lint/style/noRestrictedImports: test support stands outside the wall around the lab.

import { createRequire } from "node:module";
import type { Partitioner } from "#model/sharding-setup.ts";
import { type CqlType, cqlTypeText } from "../cql-type.ts";

interface Tokenizer {
  hash(key: Buffer): { getValue(): { toString(): string } };
}

interface Encoder {
  encode(value: unknown, type: unknown): Buffer;
  setRoutingKeyFromMeta(meta: unknown, values: unknown, options: unknown): void;
}

const require = createRequire(import.meta.url);
const { Murmur3Tokenizer, RandomTokenizer } = require("cassandra-driver/lib/tokenizer") as Record<
  string,
  new () => Tokenizer
>;
const DriverEncoder = require("cassandra-driver/lib/encoder") as new (
  version: number,
  options: unknown,
) => Encoder;
const { dataTypes, Tuple } = (
  require("cassandra-driver") as {
    types: { dataTypes: Record<string, number>; Tuple: { fromArray(values: unknown[]): unknown } };
  }
).types;

const encoder = new DriverEncoder(4, {
  encoding: { useBigIntAsLong: true, useBigIntAsVarint: true },
});
const tokenizers = {
  murmur3: new (Murmur3Tokenizer as new () => Tokenizer)(),
  random: new (RandomTokenizer as new () => Tokenizer)(),
};

/** The token that the driver gives a key's bytes. */
export function driverToken(partitioner: Partitioner, key: Uint8Array): string {
  return tokenizers[partitioner].hash(Buffer.from(key)).getValue().toString();
}

/** The bytes that the driver sends for a value. */
export function driverBytes(type: CqlType, value: unknown): Buffer {
  return encoder.encode(value, driverType(type));
}

/** The routing key that the driver makes of the values of a partition key. */
export function driverKey(types: readonly CqlType[], values: readonly unknown[]): Buffer {
  let key: Buffer | Buffer[] | undefined;
  const meta = { columns: types.map((type) => ({ type: driverType(type) })) };
  encoder.setRoutingKeyFromMeta(meta, values, {
    getRoutingIndexes: () => types.map((_, index) => index),
    setRoutingKey: (made: Buffer) => {
      key = made;
    },
  });
  if (!key || Array.isArray(key)) throw new Error("the driver made no routing key");
  return key;
}

/** A tuple's value for the driver. */
export function driverTuple(values: unknown[]): unknown {
  return Tuple.fromArray(values);
}

function driverType(type: CqlType): { code: number; info?: unknown } {
  switch (type.kind) {
    case "native": {
      const code = dataTypes[type.name];
      if (code === undefined) throw new Error(`the driver does not know ${cqlTypeText(type)}`);
      return { code };
    }
    case "tuple":
      return { code: dataTypes["tuple"] as number, info: type.of.map(driverType) };
    case "map":
      return {
        code: dataTypes["map"] as number,
        info: [driverType(type.key), driverType(type.value)],
      };
    default:
      return { code: dataTypes[type.kind] as number, info: driverType(type.of) };
  }
}
