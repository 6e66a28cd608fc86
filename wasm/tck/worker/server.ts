// Starts the conformance kit's Worker in workerd, with a guest that it has just built.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export interface Server {
  origin: string;
  /** Everything that the Worker has logged. */
  log(): string;
  /** Resolves when the log has a text. The log comes through wrangler, and later than answers. */
  logged(text: string): Promise<void>;
  stop(): Promise<void>;
}

export function build(): void {
  buildModule("guest");
}

/** Builds one of the kit's modules. */
export function buildModule(guest: string): void {
  const output = join(root, `build/tck/${guest}.wasm`);
  const args = ["build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", output, `./wasm/tck/${guest}`];
  execFileSync("go", args, { cwd: root, env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm" } });
}

/** Starts the Worker of a folder. */
export async function start(vars: Record<string, string>, folder = import.meta.dirname): Promise<Server> {
  const state = mkdtempSync(join(tmpdir(), "tributary-tck-"));
  const args = ["dev", "--config", join(folder, "wrangler.jsonc"), "--ip", "127.0.0.1"];
  args.push("--port", "0", "--inspector-port", "0", "--persist-to", state);
  for (const [name, value] of Object.entries(vars)) args.push("--var", `${name}:${value}`);
  const wrangler = spawn(join(root, "node_modules/.bin/wrangler"), args, {
    env: { X_LOCAL_OBSERVABILITY: "false", ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
    detached: true,
  });
  const { origin, log } = await ready(wrangler);
  return {
    origin,
    log,
    logged: async (text) => {
      while (!log().includes(text)) await Promise.race([once(wrangler.stdout, "data"), once(wrangler.stderr, "data")]);
    },
    stop: async () => {
      const gone = once(wrangler, "close");
      process.kill(-(wrangler.pid as number), "SIGTERM");
      await gone;
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Resolves when wrangler says where it listens: a port that was free before could be taken by another test. */
function ready(wrangler: ChildProcess): Promise<Pick<Server, "origin" | "log">> {
  let text = "";
  return new Promise((resolve, reject) => {
    const hear = (data: Buffer) => {
      text += data.toString();
      const origin = /Ready on (http:\S+)/.exec(text)?.[1];
      if (origin) resolve({ origin, log: () => text });
    };
    wrangler.stdout?.on("data", hear);
    wrangler.stderr?.on("data", hear);
    wrangler.once("exit", () => reject(new Error(`wrangler ended: ${text}`)));
  });
}
