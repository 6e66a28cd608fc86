// What objects and connections keep in memory.
import { resident } from "../process.ts";
import { alternate, beside, Side } from "../side.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";
import { fan } from "../watch.ts";

/** How many agents and helpers memory is measured over, and how often the Workers are started anew for it. */
const agents = 200;
const helpers = 100;
const lives = 3;

export async function memory(table: Table): Promise<void> {
  for (let life = 0; life < lives; life++) await beside((sides) => alternate(sides, 1, (side) => one(side, table)));
  await shared(table);
}

async function one(side: Side, table: Table): Promise<void> {
  await speak(side, "warm-up");
  await fan(side, "warm-up", 2, 5);
  const tabs: Tab[] = [];
  await table.take(["memory.agent"], side.name, async () => {
    const before = await resident(side);
    for (let i = 0; i < agents; i++) tabs.push(await speak(side, `agent-${i}`)); // connected, so that they stay
    return [((await resident(side)) - before) / agents];
  });
  await table.take(["memory.helper"], side.name, async () => {
    const tab = await Tab.open(side.url, "helpers");
    tabs.push(tab);
    const before = await resident(side);
    await fan(side, "helpers", helpers, 5, { tab });
    return [((await resident(side)) - before) / helpers];
  });
  for (const tab of tabs) tab.close();
}

/** A conversation that has answered once, and stays connected. */
async function speak({ url }: Side, name: string): Promise<Tab> {
  const tab = await Tab.open(url, name);
  await tab.ask("hi chunks=5");
  return tab;
}

/** The memory of the instance that all agents share, which never shrinks. */
async function shared(table: Table): Promise<void> {
  const side = await Side.start("tributary", { counting: true });
  try {
    await table.take(["memory.shared"], side.name, async () => {
      for (let i = 0; i < 1000; i++) await speak(side, `shared-${i}`);
      return [Number(await (await fetch(`${side.url}/memory`)).text()) / 1024];
    });
  } finally {
    await side.stop();
  }
}
