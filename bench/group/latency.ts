// How long a person waits, and how fast chunks flow.
import type { Key } from "../goals.ts";
import { alternate, beside, type Side } from "../side.ts";
import { Tab } from "../tab.ts";
import { Table } from "../table.ts";
import { fan } from "../watch.ts";

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export const latency = (table: Table, rounds: number): Promise<void> =>
  beside(async (sides) => {
    await alternate(sides, 2, (side, i) => round(side, `warm-up-${i}`, new Table()));
    await alternate(sides, rounds, (side, i) => round(side, `round-${i}`, table));
  });

/** One pass. Each row has a conversation of its own, or goes on in one. */
async function round(side: Side, name: string, table: Table): Promise<void> {
  const { url } = side;
  await table.take(["connect.cold", "connect.again", "first.first", "first.later"], side.name, async () => {
    const cold = await timed(async () => (await Tab.open(url, name)).close());
    let tab: Tab | undefined;
    const again = await timed(async () => {
      tab = await Tab.open(url, name);
    });
    const question = side.ask("hi chunks=5", "write=1");
    const first = await tab?.ask(question);
    const later = await tab?.ask(question);
    tab?.close();
    return [cold, again, first?.first ?? Number.NaN, later?.first ?? Number.NaN];
  });
  // The floor of one helper writes nothing; that of two keeps a log at both ends, a chunk a row.
  await table.take(["helper.first"], side.name, async () => [(await opened(side, `${name}-1`, 1)).spoken]);
  await table.take(["helper.both"], side.name, async () => [(await opened(side, `${name}-2`, 2, "log=1")).spoken]);
}

/** Has helpers say a few words in a conversation that is open. */
async function opened(side: Side, name: string, n: number, floor = "") {
  const tab = await Tab.open(side.url, name);
  const seen = await fan(side, name, n, 5, { floor, tab });
  tab.close();
  return seen;
}

/** How many chunks an answer of the assistant has, and one of a helper. */
const chunks = { plain: 10_000, helper: 1000 };

export const rate = (table: Table, rounds: number): Promise<void> =>
  beside(async (sides) => {
    await alternate(sides, 1, (side) => flow(side, "warm-up", new Table()));
    await alternate(sides, Math.ceil(rounds / 2), (side, i) => flow(side, `flow-${i}`, table));
  });

async function flow(side: Side, name: string, table: Table): Promise<void> {
  await table.take(["rate.plain"], side.name, async () => {
    const tab = await Tab.open(side.url, name);
    const { end } = await tab.ask(`hi chunks=${chunks.plain}`);
    tab.close();
    return [chunks.plain / (end / 1000)];
  });
  for (const n of [1, 2, 8, 16] as const) {
    const key: Key = `rate.${n}`;
    await table.take([key], side.name, async () => {
      const { last } = await fan(side, `${name}-${n}`, n, chunks.helper, { floor: "log=100" });
      return [(n * chunks.helper) / (last / 1000)];
    });
  }
}
