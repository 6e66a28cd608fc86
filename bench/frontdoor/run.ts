// What the front door adds to a request: the same request through an entry without it, with one Go instance for all
// requests, with tokens checked as well, with an answer that it remembers, and with a fresh instance each time as syumai's
// own glue has it. The five take turns, so that a slow moment of the machine hits all of them.
//
//	./build.sh build && node bench/frontdoor/run.ts [requests]
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { dev } from "../../e2e/dev.ts";
import { quantile } from "../quantile.ts";

const requests = Number(process.argv[2] ?? 500);
const warmup = 50;
const doors = ["none", "reused", "signed", "remembered", "fresh"] as const;
const here = import.meta.dirname;

const token = execFileSync("go", ["run", "./worker/cmd/token", "-any"], {
  cwd: join(here, "../.."),
  env: { ...process.env, TRIBUTARY_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" },
})
  .toString()
  .trim();

const worker = await dev({ config: join(here, "wrangler.jsonc") });
try {
  await measure();
} finally {
  await worker.stop();
}

let calls = 0;

/** Asks through a door. An answer is remembered by its path, so that each door but one is asked with another each time. */
async function call(headers: Record<string, string>): Promise<number> {
  const path = headers["x-door"] === "remembered" ? "same" : calls++;
  const start = performance.now();
  const response = await fetch(`${worker.url}/agents/assistant/bench/${path}?_pk=1&token=${token}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${JSON.stringify(headers)}: ${response.status}`);
  return performance.now() - start;
}

async function measure(): Promise<void> {
  const times = new Map(doors.map((door) => [door, [] as number[]]));
  for (let n = -warmup; n < requests; n++) {
    for (const [door, samples] of times) {
      const ms = await call({ "x-door": door });
      if (n >= 0) samples.push(ms);
    }
  }
  const base = quantile(times.get("none") ?? [], 0.5);
  console.log(`${requests} requests each\n\ndoor      median ms    p95 ms   added ms   ratio`);
  for (const [door, samples] of times) {
    const median = quantile(samples, 0.5);
    const cells = [median, quantile(samples, 0.95), median - base].map((ms) => ms.toFixed(2).padStart(11));
    console.log(`${door.padEnd(8)}${cells.join("")}${(median / base).toFixed(2).padStart(8)}`);
  }
  for (const [which, many] of [
    ["reused", 2000],
    ["fresh", 50],
  ] as const) {
    const ask = (times: number) => call({ "x-door": "inside", "x-inside": which, "x-times": String(times) });
    await ask(many);
    const ms = ((await ask(many)) - (await ask(0))) / many;
    console.log(`\none decision inside the Worker, token checked, ${which}: ${ms.toFixed(3)} ms`);
  }
}
