// What turns cost the processor.
import { setTimeout } from "node:timers/promises";
import type { Key } from "../goals.ts";
import { spent } from "../process.ts";
import { alternate, beside, type Side } from "../side.ts";
import { Tab } from "../tab.ts";
import { Table } from "../table.ts";
import { fan } from "../watch.ts";

/** How many turns one sample is taken over: the kernel counts in steps of 10 ms. */
const turns = { slow: 10, burst: 40 };
/** How long after an answer its process may still work for it, in ms. */
const after = 300;

export const cpu = (table: Table, rounds: number): Promise<void> =>
  beside(async (sides) => {
    await alternate(sides, 1, (side) => round(side, "warm-up", new Table()));
    await alternate(sides, Math.ceil(rounds / 2), (side, i) => round(side, `cpu-${i}`, table));
  });

async function round(side: Side, name: string, table: Table): Promise<void> {
  for (const [pace, delay, many] of [
    ["", 5, turns.slow],
    [".burst", 0, turns.burst],
  ] as const) {
    const turn = (tab: Tab) => tab.ask(side.ask(`hi chunks=100${delay ? ` delay=${delay}` : ""}`, "write=1"));
    const helper = (tab: Tab, of: string) => fan(side, of, 1, 100, { delay, floor: "write=1 log=100", tab });
    for (const [key, work] of [
      [`cpu.turn${pace}`, turn],
      [`cpu.helper${pace}`, helper],
    ] as [Key, typeof helper][])
      await table.take([key], side.name, async () => [await sample(side, `${name}-${key}`, many, work)]);
  }
}

/** The mean of some turns, each in a conversation of its own that is open already. */
async function sample(side: Side, name: string, turns: number, work: (tab: Tab, of: string) => Promise<unknown>) {
  const names = Array.from({ length: turns }, (_, i) => `${name}-${i}`);
  const tabs: [Tab, string][] = [];
  for (const of of names) tabs.push([await Tab.open(side.url, of), of]);
  await setTimeout(after);
  const before = await spent(side);
  for (const [tab, of] of tabs) await work(tab, of);
  await setTimeout(after);
  const cost = (await spent(side)) - before;
  for (const [tab] of tabs) tab.close();
  return cost / turns;
}
