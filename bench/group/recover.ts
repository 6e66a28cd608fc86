// What a kill costs: workerd ends in the middle of helpers' work, and comes back on the same storage. How long is it from
// the Worker's first answer to the first new word of a helper, and to the first of each?
// ./build.sh build && node bench/recover/run.ts [rounds]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Dev, dev } from "../../e2e/dev.ts";
import { kill } from "../../e2e/workerd.ts";
import { Tab } from "../chat/tab.ts";
import { median } from "../quantile.ts";

const rounds = Number(process.argv[2] ?? 5);
/** How many helpers are interrupted, and what each of them says, at which pace in ms. */
const sizes = [1, 8];
const speech = "chunks=300 delay=20";
/** How many words each has said when the kill comes, and how long anything may take, in ms. */
const spoken = 20;
const patience = 60_000;

interface Sample {
  /** From the kill to the Worker's first answer, and from that to the first new word of any helper and of every one. */
  restart: number;
  first: number;
  every: number;
}

const state = await mkdtemp(join(tmpdir(), "tributary-recover-"));
const server = await dev({ state });
try {
  const samples = new Map<number, Sample[]>(sizes.map((n) => [n, []]));
  for (let i = 0; i < rounds; i++) for (const n of sizes) samples.get(n)?.push(await interrupt(`round-${i}-${n}`, n));
  report(samples);
} finally {
  await server.stop();
  await rm(state, { recursive: true, force: true });
}

async function interrupt(name: string, n: number): Promise<Sample> {
  const before = await Tab.open(server.url, name);
  const words = new Map<string, number>();
  let high = 0;
  const speaking = new Promise<void>((resolve) => {
    const note = (frame: string) => {
      const event = word(frame);
      if (!event) return;
      words.set(event.run, (words.get(event.run) ?? 0) + 1);
      high = Math.max(high, event.number);
      if (words.size === n && [...words.values()].every((said) => said >= spoken)) resolve();
    };
    before.ask(`tool=fan n=${n} ${speech}`, note).catch(() => {}); // the kill ends it
  });
  await speaking;
  kill(server, state);
  const killed = performance.now();
  await answering(server);
  const answered = performance.now();
  const heard = new Map<string, number>();
  const after = await Tab.open(server.url, name, (frame) => {
    const event = word(frame);
    if (event && !event.replay && event.number > high && !heard.has(event.run)) heard.set(event.run, performance.now());
    return heard.size === n;
  });
  after.close();
  const times = [...heard.values()];
  return { restart: answered - killed, first: Math.min(...times) - answered, every: Math.max(...times) - answered };
}

/** What a frame has of a helper's word, if it is one. */
function word(frame: string): { run: string; number: number; replay: boolean } | undefined {
  if (!frame.includes('"agent-tool-event"') || !frame.includes("text-delta")) return undefined;
  const { sequence, replay = false, event } = JSON.parse(frame);
  return { run: event.runId, number: sequence, replay };
}

/** Waits until the Worker that was started anew answers. The conversation is not asked, and stays out of memory. */
async function answering({ url }: Dev): Promise<void> {
  for (const late = performance.now() + patience; performance.now() < late; await setTimeout(5)) {
    const response = await fetch(`${url}/agents/assistant/elsewhere/get-messages`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error("the Worker does not come back");
}

function report(samples: Map<number, Sample[]>): void {
  console.log(`medians of ${rounds} rounds, ms`);
  const rows = {
    restart: "kill to the Worker's first answer",
    first: "then to the first new word",
    every: "then to one of every helper",
  };
  for (const key of ["restart", "first", "every"] as const) {
    const figures = sizes.map((n) => median((samples.get(n) ?? []).map((sample) => sample[key])));
    const [one = 0, most = 0] = figures;
    console.log(
      `${rows[key].padEnd(40)} ${figures.map((ms) => ms.toFixed(0).padStart(7)).join("")}   ratio ${(most / one).toFixed(2)}`,
    );
  }
  console.log(`helpers interrupted: ${sizes.join(", ")}`);
}
