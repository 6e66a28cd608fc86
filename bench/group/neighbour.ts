// What one client can do to the others: it sends large and odd frames of every kind, from objects of its own, while a
// neighbour asks. The neighbour's turn must take its usual time, within a factor of two, and ask its model as often as alone.
// ./build.sh build modules && node bench/neighbour/run.ts [seconds [ms between two frames]]
// The frames take 130 ms of a core each, in the mean of all kinds: four a second need a machine with a core to spare.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Dev, dev } from "../../e2e/dev.ts";
import { type Model, model } from "../../e2e/model/server.ts";
import { Tab } from "../chat/tab.ts";
import { median } from "../quantile.ts";

const [, , seconds = "60", pace = "250"] = process.argv;
/** How long the model takes for a piece of an answer, in ms. */
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
  const end = attack(server);
  const beside: Turn[] = [];
  for (const until = performance.now() + Number(seconds) * 1000; performance.now() < until; )
    beside.push(await turn(tab, player, `beside${beside.length}`));
  process.exitCode = report(alone, beside, await end()) ? 0 : 1;
} finally {
  await server.stop();
  player.stop();
}

/** One turn of the neighbour with two helpers, about a subject of its own. */
async function turn(tab: Tab, { answers }: Model, subject: string): Promise<Turn> {
  const { end } = await tab.ask(`Compare ${subject}a and ${subject}b`);
  return { ms: end, asked: answers.filter(({ prompt }) => prompt.includes(subject)).length };
}

/** Lets a hostile client begin; what is returned ends it, and resolves with how many frames it has sent. */
function attack({ url }: Dev): () => Promise<number> {
  // In a process of its own: what it costs to make its frames would delay the neighbour's model, which is in this one.
  const client = fork(join(import.meta.dirname, "attack.ts"), [url, pace]);
  return async () => {
    client.send("end");
    const [sent] = (await once(client, "message")) as [number];
    return sent;
  };
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
