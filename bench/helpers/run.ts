// Helpers on Tributary and on its peer in turn: ./build.sh build && node bench/helpers/run.ts [rounds]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dev, dev } from "../../e2e/dev.ts";
import { Tab } from "../chat/tab.ts";
import { median } from "../quantile.ts";
import { resident } from "../resident.ts";
import { fan, frames, replay } from "./watch.ts";

const rounds = Number(process.argv[2] ?? 10);
/** How many helpers memory is measured over, and how often the Workers are started anew. */
const crowd = 100;
const lives = Math.min(rounds, 3);
/** What a connection is shown again. */
const kept = { helpers: 10, chunks: 500 };
const floor = `connect to the last of ${kept.helpers * kept.chunks} frames of a bare object, ms`;

interface Side {
  name: string;
  config: string;
  state: string;
  server: Dev;
  /** The samples of each row, and why a row has none. */
  samples: Map<string, number[]>;
  failures: Map<string, string>;
}

const sides = [
  await side("tributary", "wrangler.jsonc"),
  await side("peer", join(import.meta.dirname, "peer/wrangler.jsonc")),
] as const;
const bare = await side("bare", join(import.meta.dirname, "bare/wrangler.jsonc"));
try {
  for (const s of sides) await round({ ...s, samples: new Map(), failures: new Map() }, "warm-up");
  for (let i = 0; i < rounds; i++) {
    for (const s of sides) await round(s, `round-${i}`);
    await measure(bare, floor, () => frames(bare.server.url, kept.helpers * kept.chunks));
  }
  for (let i = 0; i < lives; i++) for (const s of sides) await anew(s);
  for (let i = 0; i < lives; i++) for (const s of sides) await memory(s, i);
  report();
} finally {
  for (const s of [...sides, bare]) {
    await s.server.stop();
    await rm(s.state, { recursive: true, force: true });
  }
}

async function side(name: string, config: string): Promise<Side> {
  const state = await mkdtemp(join(tmpdir(), "tributary-bench-"));
  return { name, config, state, server: await dev({ config, state }), samples: new Map(), failures: new Map() };
}

/** One pass over what is measured while the Workers run. Every row has a conversation of its own. */
async function round(s: Side, name: string): Promise<void> {
  const { url } = s.server;
  for (const n of [1, 2]) {
    const what = `request to first text of ${n} helper${n > 1 ? "s" : ""}, ms`;
    await measure(s, what, async () => (await fan(url, `${name}-first-${n}`, n, 5)).spoken);
  }
  for (const n of [1, 2, 8, 16]) {
    const rate = async () => (n * 1000) / ((await fan(url, `${name}-rate-${n}`, n, 1000)).last / 1000);
    await measure(s, `chunks a second through the parent, ${n} × 1,000`, rate);
  }
  const { helpers, chunks } = kept;
  await measure(
    s,
    "request to last chunk, 10 × 500, ms",
    async () => (await fan(url, `${name}-kept`, helpers, chunks)).last,
  );
  await measure(s, "connect to last replayed frame, 10 × 500 chunks, ms", () => replay(url, `${name}-kept`, helpers));
  await measure(s, "page load to last replayed frame, ms", () => page(url, `${name}-kept`));
}

/** The same page load by a Worker that has just been started: nobody is in memory. */
async function anew(s: Side): Promise<void> {
  await s.server.stop();
  s.server = await dev({ config: s.config, state: s.state });
  const { url } = s.server;
  (await Tab.open(url, "elsewhere")).close(); // The Worker itself is up; the conversation is not.
  await measure(s, "page load to last replayed frame, object not in memory, ms", () => page(url, "round-0-kept"));
}

/** As the client loads a page: first the messages over HTTP, then the socket. */
async function page(url: string, name: string): Promise<number> {
  const start = performance.now();
  await (await fetch(`${url}/agents/assistant/${name}/get-messages`)).arrayBuffer();
  const fetched = performance.now() - start;
  return fetched + (await replay(url, name, kept.helpers));
}

/**
 * What a helper that has answered once adds to the resident memory of its workerd. Its conversation stays connected.
 */
async function memory(s: Side, life: number): Promise<void> {
  await measure(s, `resident memory a helper, over ${crowd}, MB`, async () => {
    const before = await resident(s.server.pid);
    await fan(s.server.url, `memory-${life}`, crowd, 5, { leave: false });
    return ((await resident(s.server.pid)) - before) / crowd;
  });
}

/** Takes one sample of a row. A row that failed once is not tried again. */
async function measure({ samples, failures }: Side, what: string, take: () => Promise<number>): Promise<void> {
  if (failures.has(what)) return;
  try {
    samples.set(what, [...(samples.get(what) ?? []), await take()]);
  } catch (error) {
    failures.set(what, String(error));
  }
}

function report(): void {
  const [ours, peer] = sides;
  const rows = [...new Set([...ours.samples.keys(), ...ours.failures.keys()])];
  const width = Math.max(...rows.map((what) => what.length));
  console.log(`medians of ${rounds} rounds, of ${lives} where a Worker is started or memory taken\n`);
  console.log(`${"".padEnd(width)} ${ours.name} ${peer.name.padStart(9)}   ratio`);
  for (const what of rows) {
    const [a, b] = [median(ours.samples.get(what) ?? []), median(peer.samples.get(what) ?? [])];
    const ratio = what.startsWith("chunks a second") ? a / b : b / a;
    const cells = [a.toFixed(1).padStart(9), b.toFixed(1).padStart(9), ratio.toFixed(1).padStart(7)];
    console.log([what.padEnd(width), ...cells].join(" "));
  }
  const least = median(bare.samples.get(floor) ?? []);
  const rate = (kept.helpers * kept.chunks * 1000) / least;
  console.log(`\n${floor}: ${least.toFixed(1)}, that is ${rate.toFixed(0)} frames a second at most`);
  for (const s of sides) for (const [what, why] of s.failures) console.log(`${s.name} failed at "${what}": ${why}`);
}
