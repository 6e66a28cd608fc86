// What one client can do to the others: it sends large and odd frames of every kind, from objects of its own, while a
// neighbour asks. The neighbour's turn must take its usual time, within a factor of two, and ask its model as often as alone.
// The frames take 130 ms of a core each, in the mean of all kinds: four a second need a machine with a core to spare.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Dev, dev } from "../../e2e/dev.ts";
import { type Model, model } from "../../e2e/model/server.ts";
import { floodsBeside, schemasBeside } from "../neighbour/beside.ts";
import { median } from "../quantile.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";

/** How long the client is hostile, and how long it waits between two frames, in ms. */
const attacked = 60_000;
const pace = 250;
/** How long the model takes for a piece of an answer, in ms. */
const pause = 40;

interface Turn {
  ms: number;
  /** How often the model was asked. */
  asked: number;
}

export async function neighbour(table: Table): Promise<void> {
  await floodsBeside(table);
  await schemasBeside(table);
  await heavyFrames(table);
}

/** Large and odd frames, beside turns. */
async function heavyFrames(table: Table): Promise<void> {
  const player = await model(pause);
  const server = await dev({ vars: player.vars });
  try {
    const tab = await Tab.open(server.url, "neighbour");
    await turn(tab, player, "warm-up");
    const alone: Turn[] = [];
    for (let i = 0; i < 3; i++) alone.push(await turn(tab, player, `alone${i}`));
    const end = attack(server);
    const beside: Turn[] = [];
    for (const until = performance.now() + attacked; performance.now() < until; )
      beside.push(await turn(tab, player, `beside${beside.length}`));
    await end();
    report(table, alone, beside);
  } finally {
    await server.stop();
    player.stop();
  }
}

/** One turn of the neighbour with two helpers, about a subject of its own. */
async function turn(tab: Tab, { answers }: Model, subject: string): Promise<Turn> {
  const { end } = await tab.ask(`Compare ${subject}a and ${subject}b`);
  return { ms: end, asked: answers.filter(({ prompt }) => prompt.includes(subject)).length };
}

/** Lets a hostile client begin; what is returned ends it. */
function attack({ url }: Dev): () => Promise<void> {
  // In a process of its own: what it costs to make its frames would delay the neighbour's model, which is in this one.
  const client = fork(join(import.meta.dirname, "../neighbour/attack.ts"), [url, String(pace)]);
  return async () => {
    client.send("end");
    await once(client, "message");
  };
}

function report(table: Table, alone: Turn[], beside: Turn[]): void {
  const usual = median(alone.map(({ ms }) => ms));
  table.add("neighbour.alone", "tributary", usual);
  table.add("neighbour.worst", "tributary", Math.max(...beside.map(({ ms }) => ms)) / usual);
  const most = (turns: Turn[]) => Math.max(...turns.map(({ asked }) => asked));
  table.add("neighbour.asked", "tributary", most(beside) - most(alone));
}
