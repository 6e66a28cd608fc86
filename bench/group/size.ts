// What a deployment uploads.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { config, names } from "../side.ts";
import type { Table } from "../table.ts";

const wrangler = createRequire(import.meta.url)
  .resolve("wrangler/package.json")
  .replace("package.json", "bin/wrangler.js");

export async function size(table: Table): Promise<void> {
  for (const name of names)
    await table.take(["size.worker"], name, async () => {
      const said = execFileSync(process.execPath, [wrangler, "deploy", "--dry-run", "-c", config(name)]);
      return [Number(/gzip: ([\d.]+) KiB/.exec(String(said))?.[1])];
    });
}
