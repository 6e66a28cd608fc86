// What the front door adds to a request: the same request through an entry without it, with one Go instance for all
// requests, with tokens checked as well, with an answer that it remembers, and with a front door that the request itself
// starts and rehearses, as the global scope does in a deployment. The five take turns, so that a slow moment of the machine
// hits all of them.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Dev, dev } from "../../e2e/dev.ts";
import type { Key } from "../goals.ts";
import { quantile } from "../quantile.ts";
import type { Table } from "../table.ts";

/** How many requests a sample is the best fifth of. */
const requests = 50;
const doors: [header: string, key: Key][] = [
  ["reused", "door.reused"],
  ["signed", "door.signed"],
  ["remembered", "door.remembered"],
  ["started", "door.started"],
];

export async function frontdoor(table: Table, rounds: number): Promise<void> {
  const worker = await dev({ config: "bench/frontdoor/wrangler.jsonc" });
  const token = mint();
  try {
    for (let round = -1; round < rounds; round++) {
      const times = await alternate(worker, token);
      if (round < 0) continue; // warm-up
      for (const [header, key] of doors) {
        table.add(key, "floor", quantile(times.get("none") ?? [], 0.2));
        table.add(key, "tributary", quantile(times.get(header) ?? [], 0.2));
      }
      table.add("door.inside", "tributary", await inside(worker, token, 2000));
    }
  } finally {
    await worker.stop();
  }
}

function mint(): string {
  const env = { ...process.env, TRIBUTARY_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };
  const cwd = join(import.meta.dirname, "../..");
  return String(execFileSync("go", ["run", "./wasm/cmd/tributary", "token", "-any"], { cwd, env })).trim();
}

async function alternate(worker: Dev, token: string): Promise<Map<string, number[]>> {
  const times = new Map(["none", ...doors.map(([header]) => header)].map((door) => [door, [] as number[]]));
  for (let n = 0; n < requests; n++)
    for (const [door, samples] of times) samples.push(await call(worker, token, { "x-door": door }));
  return times;
}

let calls = 0;

/** Sends a request through an entry. Only the entry that remembers is asked for the same path twice. */
async function call({ url }: Dev, token: string, headers: Record<string, string>): Promise<number> {
  const path = headers["x-door"] === "remembered" ? "same" : calls++;
  const start = performance.now();
  const response = await fetch(`${url}/agents/assistant/bench/${path}?_pk=1&token=${token}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${JSON.stringify(headers)}: ${response.status}`);
  return performance.now() - start;
}

/** One decision inside the Worker, in ms. */
async function inside(worker: Dev, token: string, many: number): Promise<number> {
  const ask = (times: number) => call(worker, token, { "x-door": "inside", "x-times": String(times) });
  return ((await ask(many)) - (await ask(0))) / many;
}
