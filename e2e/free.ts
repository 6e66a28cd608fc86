// A wrangler dev of the two Workers that fit the Free plan.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Dev, dev } from "./dev.ts";

/** The configurations of the two Workers, with some variables for both, and how to remove them. */
export async function split(vars: Record<string, string>): Promise<{
  door: string;
  agents: string;
  remove: () => Promise<void>;
}> {
  const cwd = join(import.meta.dirname, "..");
  execFileSync("go", ["run", "./wasm/cmd/tributary", "build", "-free"], { cwd });
  // Beside the two, because their paths are relative.
  const folder = join(cwd, ".tributary/free");
  const copy = async (name: string) => {
    const config = JSON.parse(await readFile(join(folder, `${name}.json`), "utf8")) as { vars?: object };
    const path = join(folder, `${name}-${randomUUID()}.json`);
    await writeFile(path, JSON.stringify({ ...config, vars: { ...config.vars, ...vars } }));
    return path;
  };
  const [door, agents] = [await copy("door"), await copy("agents")];
  const remove = async () => {
    await Promise.all([door, agents].map((path) => rm(path)));
  };
  return { door, agents, remove };
}

/** Runs both Workers, the front door at the address. wrangler dev gives its own --var to the first one alone. */
export async function free(vars: Record<string, string>): Promise<Dev> {
  const { door, agents, remove } = await split(vars);
  const server = await dev({ config: [door, agents], vars });
  const stop = async () => {
    await server.stop();
    await remove();
  };
  return { ...server, stop };
}
