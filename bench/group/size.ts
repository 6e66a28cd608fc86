// What a deployment uploads.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { config, type Name, names } from "../side.ts";
import type { Table } from "../table.ts";

const wrangler = createRequire(import.meta.url)
  .resolve("wrangler/package.json")
  .replace("package.json", "bin/wrangler.js");

export async function size(table: Table): Promise<void> {
  for (const name of names)
    await table.take(["size.worker"], name, async () => {
      return [Math.max(...parts(name).map(upload))];
    });
  for (const name of names) await table.take(["size.whole"], name, async () => [upload(config(name))]);
}

/** The configurations of what a side deploys: Tributary's two Workers of deploy --free, or the one of another side. */
function parts(name: Name): string[] {
  if (name !== "tributary") return [config(name)];
  execFileSync("go", ["run", "./wasm/cmd/tributary", "build", "-free"]);
  return [".tributary/free/agents.json", ".tributary/free/door.json"];
}

/** What wrangler would upload for a configuration, in KiB. */
function upload(file: string): number {
  const said = execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "-c", file]);
  return Number(/gzip: ([\d.]+) KiB/.exec(String(said))?.[1]);
}
