// Starts a wrangler dev of its own: on a free port, with a state folder.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const wrangler = createRequire(import.meta.url)
  .resolve("wrangler/package.json")
  .replace("package.json", "bin/wrangler.js");

export interface Options {
  /** The configuration file; the project's own by default. Of several, the first Worker's is reached by its address. */
  config?: string | string[];
  /** Worker variables and secrets; TRIBUTARY_ENV is development unless it is given. */
  vars?: Record<string, string>;
  /** The folder for the objects' storage. By default it is a folder that is deleted with the Worker. */
  state?: string;
}

/** A running wrangler dev: its address, its output, and a way to stop it. */
export interface Dev {
  url: string;
  /** The process of wrangler, which is the parent of workerd. */
  pid: number;
  log: () => string;
  stop: () => Promise<void>;
}

/** Runs a Worker on a free port of 127.0.0.1 and resolves when it answers. */
export async function dev({ config = "wrangler.jsonc", vars = {}, state }: Options = {}): Promise<Dev> {
  const folder = state ?? (await mkdtemp(join(tmpdir(), "tributary-")));
  const configs = [config].flat().flatMap((file) => ["-c", file]);
  const where = ["--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0", "--persist-to", folder];
  const set = Object.entries({ TRIBUTARY_ENV: "development", ...vars }).flatMap(([k, v]) => ["--var", `${k}:${v}`]);
  const child = spawn(process.execPath, [wrangler, "dev", ...configs, ...where, ...set], {
    // Without its traces of every statement, as the tool of a project runs it.
    env: { X_LOCAL_OBSERVABILITY: "false", ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
    if (state === undefined) await rm(folder, { recursive: true, force: true });
  };
  const { url, log } = await ready(child, ended);
  return { url, pid: child.pid ?? 0, log, stop };
}

/** Resolves when wrangler says that it answers. */
export async function ready(child: ChildProcess, ended: Promise<unknown>): Promise<Pick<Dev, "url" | "log">> {
  let log = "";
  const url = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      log += chunk;
      const found = /Ready on (http:\S+)/.exec(log)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    ended.then(() => reject(new Error(`wrangler ended:\n${log}`)), reject);
  });
  return { url: await url, log: () => log };
}
