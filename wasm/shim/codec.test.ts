import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Event, Reply, Statement, Value } from "./abi.ts";
import { version } from "./abi.ts";
import { decodeReply, decodeStatement, encodeOccurrence, encodeResult, VersionError } from "./codec.ts";

interface Vector {
  name: "occurrence" | "reply" | "statement" | "result";
  hex: string;
  value: unknown;
}

const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, "../abi/testdata/golden.json"), "utf8"),
  (_key, value: unknown) => (isBlob(value) ? bytes(value.blob) : value),
) as Vector[];

/** Checks bytes against their value, for each format. The shim encodes two formats and decodes two. */
const check = {
  occurrence(hex: string, value: unknown) {
    const { at, event } = value as { at: number; event: Event };
    assert.equal(toHex(encodeOccurrence(at, event)), hex);
  },
  reply(hex: string, value: unknown) {
    assert.deepEqual(decodeReply(bytes(hex)), { version, ...(value as Reply) });
  },
  statement(hex: string, value: unknown) {
    assert.deepEqual(decodeStatement(bytes(hex)), value as Statement);
  },
  result(hex: string, value: unknown) {
    const { error, rows } = value as { error: string; rows: Value[][] };
    assert.equal(toHex(encodeResult(error, rows)), hex);
    const buffers = rows.map((row) => row.map((v) => (v instanceof Uint8Array ? new Uint8Array(v).buffer : v)));
    assert.equal(toHex(encodeResult(error, buffers)), hex);
  },
};

describe("the bytes that Go writes and reads", () => {
  for (const [i, { name, hex, value }] of golden.entries()) {
    test(`${name} ${i}`, () => check[name](hex, value));
  }
});

describe("refusals", () => {
  const refusals = {
    "another version": ["9605c0c0c0c0c0", VersionError],
    "a list too short": ["940400a0c2", TypeError],
    "an unknown command": ["950400a0c291926390", TypeError],
    "a field too few": ["950400a0c291920590", TypeError],
    "a field of another type": ["950400a0c29192069107", TypeError],
    "a fraction": ["9504cb3ff8000000000000a0c290", TypeError],
    "a table that is odd": ["950400a0c291920394a172ccc891a161c0", TypeError],
  } as const;
  for (const [name, [hex, error]] of Object.entries(refusals)) {
    test(name, () => assert.throws(() => decodeReply(bytes(hex)), error));
  }
  test("a value that no column can have", () => assert.throws(() => decodeStatement(bytes("93a00091c3")), TypeError));
});

function isBlob(value: unknown): value is { blob: string } {
  return typeof value === "object" && value !== null && "blob" in value;
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(data: Uint8Array): string {
  return Buffer.from(data).toString("hex");
}
