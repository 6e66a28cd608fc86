// What ./build.sh deploy --free refuses, before it builds or deploys anything.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");

for (const words of [
  ["--name", "other"],
  ["--name=other"],
  ["--route", "example.com/*"],
  ["--routes=example.com/*"],
  ["--domain", "example.com"],
  ["--domains", "example.com"],
  ["-c", "other.jsonc"],
  ["--env=staging"],
  ["--triggers", "* * * * *"],
  ["--outdir", "build/bundle"],
]) {
  test(`an argument that is for one Worker is refused: ${words.join(" ")}`, () => {
    // With --dry-run first, nothing would be deployed even if the argument were taken.
    const { status, stdout, stderr } = spawnSync("./build.sh", ["deploy", "--free", "--dry-run", ...words], {
      cwd: root,
      encoding: "utf8",
    });
    const named = String(words[0]).split("=")[0];
    const why = `deploy --free does not take ${named}: both Workers would be given it, and it is for one\n`;
    assert.deepEqual([status, stdout, stderr], [1, "", why]);
  });
}
