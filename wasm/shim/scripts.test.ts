// The scripts of ../quickjs, whose results are those of the host in Go, to the unit of work and to the byte.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { engineFile, scenario, scenarios } from "../tck/script/scenario.ts";
import { Encoder } from "./encoder.ts";
import { Scripts } from "./scripts.ts";
import { Shelf } from "./shelf.ts";
import { Starts } from "./start.ts";

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const engine = new Module(readFileSync(engineFile));

test("a script is spent for which there is no instance", () => {
  const trapping = new Module(Buffer.from("0061736d01000000010401600000030201000801000a05010300000b", "hex"));
  const open = encode([0, 1, "", "", new Uint8Array(16), 1, 1, 1, 1]);
  assert.deepEqual(decode(new Scripts(trapping).run(open)), [4, [], [], "", "engine", 0, 0]);
});

test("a box ends whose result the isolate has no memory for, and no other one does", (t) => {
  const open = (box: number, code: string) =>
    encode([0, box, forged, code, new Uint8Array(16), 1, 2 ** 24, 2 ** 18, 5e7]);
  const forged =
    '({begin() {}, answer() {}, fail() {}, value: () => 1, take: () => \'{"state":0,"calls":[],"lines":[],"words":""}\'})';
  const answer = (box: number) => encode([1, box, 1, true, "1", 1, 5e7]);
  const stateOf = (bytes: Uint8Array) => (decode(bytes) as [number])[0];
  const host = new Scripts(engine);
  for (const box of [1, 2]) assert.equal(stateOf(host.run(open(box, "1"))), 0);
  const once = t.mock.method(Encoder.prototype, "texts");
  once.mock.mockImplementationOnce(() => {
    throw new RangeError("Array buffer allocation failed");
  });
  assert.deepEqual(decode(host.run(answer(1))), [4, [], [], "", "engine", 0, 0]);
  once.mock.restore();
  assert.equal(stateOf(host.run(answer(1))), 3);
  assert.equal(stateOf(host.run(answer(2))), 0);
});

describe("scripts have the results that they have in Go", () => {
  const all = scenarios();
  assert.ok(all.length > 0);
  for (const { name, text } of all) {
    test(name, async () => {
      const starts = new Starts();
      for (const how of ["by starts", "by copies of starts"]) {
        const host = new Scripts(engine, new Shelf(), starts);
        assert.equal(await scenario(text, (request) => host.run(request)), text, how);
        host.close();
      }
    });
  }
});
