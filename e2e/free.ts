// A wrangler dev of the two Workers that fit the Free plan.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dev, dev } from "./dev.ts";

/** The configurations of the two Workers, with some variables for both, and how to remove them. */
export async function split(vars: Record<string, string>): Promise<{
  door: string;
  agents: string;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-free-"));
  const set = Object.entries(vars).flatMap(([name, value]) => ["-var", `${name}:${value}`]);
  const cwd = join(import.meta.dirname, "..");
  execFileSync("go", ["run", "./worker/cmd/free", "-dir", folder, ...set], { cwd });
  const remove = () => rm(folder, { recursive: true, force: true });
  return { door: join(folder, "door.json"), agents: join(folder, "agents.json"), remove };
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
