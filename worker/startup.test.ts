// What the command that measures the start says of modules that do not start, and of those that are deployed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const built = join(import.meta.dirname, "../.tributary");
const engine = join(import.meta.dirname, "../internal/embedded/quickjs/quickjs.wasm");

/** Runs the command on the built modules, except for one that is empty, and on the engine. */
function measure(empty?: string) {
  const folder = mkdtempSync(join(tmpdir(), "tributary-startup-"));
  try {
    for (const name of ["frontdoor.wasm", "agents.wasm"]) {
      if (name === empty) writeFileSync(join(folder, name), Buffer.from("0061736d01000000", "hex"));
      else copyFileSync(join(built, name), join(folder, name));
    }
    copyFileSync(engine, join(folder, "quickjs.wasm"));
    return spawnSync(process.execPath, [join(import.meta.dirname, "startup.ts"), folder], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the start of the built modules is measured", () => {
  const { status, stdout } = measure();
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^before the first request: \d+ ms of CPU here, \d+ of the front door, \d+ of the agents, \d+ of the engine/,
  );
});

for (const name of ["frontdoor.wasm", "agents.wasm"]) {
  test(`no time is printed if a module does not start: ${name}`, () => {
    const { status, stdout, stderr } = measure(name);
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, new RegExp(`^Error: ${name} did not start`, "m"));
  });
}
