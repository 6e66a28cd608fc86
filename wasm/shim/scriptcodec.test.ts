// The library @msgpack/msgpack is the reference of the codec, as it is for the ABI's.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encode } from "@msgpack/msgpack";
import { Encoder } from "./encoder.ts";
import { decodeRequest, encodeResult, state } from "./scriptcodec.ts";

const seed = Uint8Array.from({ length: 16 }, (_, i) => i);
const utf8 = (text: string) => new TextEncoder().encode(text);

test("requests are decoded", () => {
  const long = "é".repeat(40_000);
  assert.deepEqual(decodeRequest(encode([0, 70_000, "({})", long, seed, 1_800_000_000_000, 2 ** 24, 2 ** 18, 5e7])), {
    kind: "open",
    box: 70_000,
    prelude: utf8("({})"),
    code: utf8(long),
    seed,
    now: 1_800_000_000_000,
    memory: 2 ** 24,
    stack: 2 ** 18,
    work: 5e7,
  });
  assert.deepEqual(decodeRequest(encode([1, 7, 200, false, "null", -1, -40_000])), {
    kind: "answer",
    box: 7,
    call: 200,
    ok: false,
    json: utf8("null"),
    now: -1,
    work: -40_000,
  });
  assert.deepEqual(decodeRequest(encode([2, 300])), { kind: "close", box: 300 });
});

describe("what is no request is refused", () => {
  const answer = encode([1, 7, 2, true, "{}", 3, 4]);
  const refusals: [title: string, bytes: Uint8Array][] = [
    ["nothing", new Uint8Array()],
    ["more behind it", Uint8Array.of(...answer, 0)],
    ["another kind", encode([3, 0])],
    ["another length", encode([2, 0, 0])],
    ["a seed of 15 bytes", encode([0, 1, "", "", seed.subarray(1), 1, 1, 1, 1])],
    ["no seed", encode([0, 1, "", "", null, 1, 1, 1, 1])],
    ["a number for a text", encode([1, 7, 2, true, 5, 3, 4])],
    ["a text for a number", encode([2, "1"])],
  ];
  for (const [title, bytes] of refusals) test(title, () => assert.throws(() => decodeRequest(bytes)));
  for (const n of answer.keys())
    test(`${n} of ${answer.length} bytes`, () => assert.throws(() => decodeRequest(answer.subarray(0, n))));
});

test("results are encoded", () => {
  const calls = [{ number: 300, name: "web_search", json: "{}" }];
  const lines = Array.from({ length: 20 }, (_, i) => `é${i}`);
  const result = {
    state: state.waits,
    calls,
    lines,
    value: "v".repeat(70_000),
    words: "\ud800",
    work: 180_248,
    bytes: 2 ** 20,
  };
  const want = [0, [[300, "web_search", "{}"]], lines, result.value, "\ufffd", 180_248, 2 ** 20];
  assert.deepEqual(Buffer.from(encodeResult(new Encoder(), result)), Buffer.from(encode(want)));
});
