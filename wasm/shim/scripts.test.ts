// The scripts of ../quickjs, whose results are those of the host in Go, to the unit of work and to the byte.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { engineFile, scenario, scenarios } from "../tck/script/scenario.ts";
import { Scripts } from "./scripts.ts";

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
const engine = new Module(readFileSync(engineFile));

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
