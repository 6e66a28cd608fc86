// The scripts of ../quickjs, whose results are those of the host in Go, to the unit of work and to the byte.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";
import { engineFile, scenario, scenarios } from "../tck/script/scenario.ts";
import { Scripts } from "./scripts.ts";

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const engine = new Module(readFileSync(engineFile));

test("a script is spent for which there is no instance", () => {
  const trapping = new Module(Buffer.from("0061736d01000000010401600000030201000801000a05010300000b", "hex"));
  const open = encode([0, 1, "", "", new Uint8Array(16), 1, 1, 1, 1]);
  assert.deepEqual(decode(new Scripts(trapping).run(open)), [4, [], [], "", "engine", 0, 0]);
});

describe("scripts have the results that they have in Go", () => {
  const all = scenarios();
  assert.ok(all.length > 0);
  for (const { name, text } of all) {
    test(name, async () => {
      const host = new Scripts(engine);
      assert.equal(await scenario(text, (request) => host.run(request)), text);
      host.close();
    });
  }
});
