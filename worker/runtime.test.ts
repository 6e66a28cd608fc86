// What a bundler leaves of the runtime in a Worker.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type BuildOptions, buildSync } from "esbuild";

/** Words of the code that drives the engine of scripts. */
const driver = "is no request of kind";

/** Bundles as cmd/release and Wrangler do, and returns the text. */
function bundle(what: BuildOptions): string {
  const external = ["cloudflare:workers"];
  const options = { bundle: true, format: "esm", target: "es2024", external, ...what } as const;
  return buildSync({ ...options, write: false }).outputFiles[0]?.text ?? "";
}

const released = bundle({ entryPoints: [join(import.meta.dirname, "runtime.ts")], minifySyntax: true });

/** Bundles a Worker that takes these names from the runtime and nothing else. */
function worker(...names: string[]): string {
  return bundle({ stdin: { contents: `${released.replace(/export \{[^}]*\};/, "")}\nexport { ${names.join()} };` } });
}

test("a Worker that runs no scripts has none of the code that drives the engine", () => {
  assert.ok(worker("ModuleObject", "prepare", "provideEngine", "serve").includes(driver));
  const without = worker("ModuleObject", "prepare", "serve");
  assert.ok(without.includes("ModuleObject") && !without.includes(driver));
});
