// What a bundler leaves of the runtime in a Worker.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { buildSync } from "esbuild";

/** Words of the code that drives the engine of scripts. */
const driver = "is no request of kind";

/** Bundles a Worker that imports names from the runtime as it is released, as Wrangler does. */
function bundle(...names: string[]): string {
  const common = {
    bundle: true,
    format: "esm",
    target: "es2024",
    write: false,
    external: ["cloudflare:workers"],
  } as const;
  const released = buildSync({ ...common, entryPoints: [join(import.meta.dirname, "runtime.ts")], minifySyntax: true });
  const [runtime] = released.outputFiles;
  // The runtime has no path of its own here, so the Worker is made of its text with other exports.
  const contents = `${runtime?.text.replace(/export \{[^}]*\};/, "")}\nexport { ${names.join()} };`;
  const [worker] = buildSync({ ...common, stdin: { contents, resolveDir: import.meta.dirname } }).outputFiles;
  return worker?.text ?? "";
}

test("a Worker that runs no scripts has none of the code that drives the engine", () => {
  assert.ok(bundle("ModuleObject", "prepare", "provideEngine", "serve").includes(driver));
  const without = bundle("ModuleObject", "prepare", "serve");
  assert.ok(without.includes("ModuleObject") && !without.includes(driver));
});
