// What one client can do to the others: it sends large and odd frames of every kind, from objects of its own, while a
// neighbour asks. The neighbour's turn must take its usual time, within a factor of two, and ask its model as often as alone.
// ./build.sh build modules && node bench/neighbour/run.ts [seconds]
import { setTimeout } from "node:timers/promises";
import { type Dev, dev } from "../../e2e/dev.ts";
import { type Model, model } from "../../e2e/model/server.ts";
import { Tab } from "../chat/tab.ts";
import { median } from "../quantile.ts";
import { frames } from "./frames.ts";

const seconds = Number(process.argv[2] ?? 60);
/** How many objects the hostile client has, how often it sends, and how long the model takes for a piece of an answer, in ms. */
const objects = 5;
const pace = 250;
const pause = 40;
/** How much longer than alone a turn may take. */
const factor = 2;

interface Turn {
  ms: number;
  /** How often the model was asked. */
  asked: number;
}

const player = await model(pause);
const server = await dev({ vars: player.vars });
try {
  const tab = await Tab.open(server.url, "neighbour");
  await turn(tab, player, "warm-up");
  const alone: Turn[] = [];
  for (let i = 0; i < 3; i++) alone.push(await turn(tab, player, `alone${i}`));
  const hostile = new AbortController();
  const sent = attack(server, hostile.signal);
  const beside: Turn[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; )
    beside.push(await turn(tab, player, `beside${beside.length}`));
  hostile.abort();
  process.exitCode = report(alone, beside, await sent) ? 0 : 1;
} finally {
  await server.stop();
  player.stop();
}

/** One turn of the neighbour with two helpers, about a subject of its own. */
async function turn(tab: Tab, { answers }: Model, subject: string): Promise<Turn> {
  const { end } = await tab.ask(`Compare ${subject}a and ${subject}b`);
  return { ms: end, asked: answers.filter(({ prompt }) => prompt.includes(subject)).length };
}

/** Sends frames, each from the next object on a connection of its own, until it is aborted; returns how many. */
async function attack({ url }: Dev, signal: AbortSignal): Promise<number> {
  let sent = 0;
  for (; !signal.aborted; await setTimeout(pace)) {
    const name = `hostile${sent % objects}`;
    const socket = new WebSocket(`${url.replace("http", "ws")}/agents/assistant/${name}?_pk=${crypto.randomUUID()}`);
    const frame = frames[sent++ % frames.length]?.() ?? "";
    socket.addEventListener("open", () => socket.send(frame as string));
    // It stays for what comes of it, and hears it.
    void setTimeout(20 * pace).then(() => socket.close());
  }
  return sent;
}

function report(alone: Turn[], beside: Turn[], sent: number): boolean {
  const middle = (turns: Turn[]) => median(turns.map(({ ms }) => ms));
  const worst = Math.max(...beside.map(({ ms }) => ms));
  const counts = (turns: Turn[]) => [...new Set(turns.map(({ asked }) => asked))].join(", ");
  const ratio = worst / middle(alone);
  console.log(`alone:  ${middle(alone).toFixed(0)} ms, ${counts(alone)} model calls, ${alone.length} turns`);
  console.log(
    `beside: ${middle(beside).toFixed(0)} ms, worst ${worst.toFixed(0)} ms, ${counts(beside)} model calls, ${beside.length} turns`,
  );
  console.log(`${sent} hostile frames; the worst turn took ${ratio.toFixed(2)} times as long as one alone`);
  return ratio <= factor && counts(beside) === counts(alone);
}
