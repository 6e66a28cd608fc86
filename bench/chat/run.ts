// Connecting, answering and memory, on Tributary and on its peer in turn: node bench/chat/run.ts [rounds]
import { type Dev, dev } from "../../e2e/dev.ts";
import { median } from "../quantile.ts";
import { resident } from "../resident.ts";
import { Tab } from "./tab.ts";

const rounds = Number(process.argv[2] ?? 40);
const agents = 100;

interface Side {
  name: string;
  server: Dev;
  times: Record<string, number[]>;
}

const side = async (name: string, config: string): Promise<Side> => ({
  name,
  server: await dev({ config }),
  times: {},
});
const ours = await side("tributary", "wrangler.jsonc");
const peer = await side("peer", "bench/chat/peer/wrangler.jsonc");
try {
  for (const s of [ours, peer]) await round(s, "warm-up", {});
  for (let i = 0; i < rounds; i++) for (const s of [ours, peer]) await round(s, `room-${i}`, s.times);
  report();
  for (const s of [ours, peer])
    console.log(`${s.name}: ${(await perAgent(s)).toFixed(2)} MB of resident memory an agent, over ${agents}`);
} finally {
  await Promise.all([ours.server.stop(), peer.server.stop()]);
}

/** One conversation: a first connection, a second one, a short answer and a long one. */
async function round({ server }: Side, name: string, times: Side["times"]): Promise<void> {
  const note = (what: string, ms: number) => {
    times[what] = [...(times[what] ?? []), ms];
  };
  const cold = performance.now();
  const first = await Tab.open(server.url, name);
  note("connect, new agent", performance.now() - cold);
  first.close();
  const warm = performance.now();
  const tab = await Tab.open(server.url, name);
  note("connect again", performance.now() - warm);
  note("request to first text", (await tab.ask("hi chunks=5")).first);
  note("answer of 1,000 chunks", (await tab.ask("hi chunks=1000")).end);
  tab.close();
}

function report(): void {
  for (const [what, mine] of Object.entries(ours.times)) {
    const [a, b] = [median(mine), median(peer.times[what] ?? [])];
    console.log(`${what}: ${a.toFixed(1)} ms, peer ${b.toFixed(1)} ms, ratio ${(b / a).toFixed(1)}`);
  }
}

/** What an agent that has answered once adds to the resident memory of its workerd, in MB. */
async function perAgent({ server }: Side): Promise<number> {
  const before = await resident(server.pid);
  for (let i = 0; i < agents; i++) {
    const tab = await Tab.open(server.url, `memory-${i}`);
    await tab.ask("hi chunks=5");
    // It stays connected, so that the platform keeps it.
  }
  return ((await resident(server.pid)) - before) / agents;
}
