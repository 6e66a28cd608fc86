// How long everything of ten helpers takes to be shown again, and what a new process costs.
import { alternate, beside, type Side } from "../side.ts";
import { Tab } from "../tab.ts";
import { Table } from "../table.ts";
import { fan, replay as shown } from "../watch.ts";

const helpers = 10;
const chunks = 500;

/** The conversation that is shown again. The floor makes its frames when it is asked. */
const name = (side: Side): string => (side.name === "floor" ? `ready?frames=${helpers * chunks}` : "kept");
const finished = (side: Side): number => (side.name === "floor" ? 1 : helpers);

export const replay = (table: Table, rounds: number): Promise<void> =>
  beside(async (sides) => {
    for (const side of sides) if (side.name !== "floor") await fan(side, "kept", helpers, chunks);
    await alternate(sides, 2, (side) => once(side, new Table()));
    await alternate(sides, rounds, (side) => once(side, table));
    await alternate(sides, Math.ceil(rounds / 2), (side) => anew(side, table));
  });

async function once(side: Side, table: Table): Promise<void> {
  await table.take(["replay.kept"], side.name, async () => [await shown(side.url, name(side), finished(side))]);
  if (side.name === "floor") return;
  await table.take(["replay.page"], side.name, async () => [await page(side)]);
}

/** The first request of a new process, which is of a new conversation; then one that has been there. */
async function anew(side: Side, table: Table): Promise<void> {
  await side.restart();
  await table.take(["start.first"], side.name, async () => {
    const start = performance.now();
    (await Tab.open(side.url, crypto.randomUUID())).close();
    return [performance.now() - start];
  });
  if (side.name === "floor") return;
  await table.take(["replay.cold"], side.name, async () => [await page(side)]);
}

/** As the published client loads a page: first the messages over HTTP, then the socket. */
async function page(side: Side): Promise<number> {
  const start = performance.now();
  await (await fetch(`${side.url}/agents/assistant/kept/get-messages`)).arrayBuffer();
  const fetched = performance.now() - start;
  return fetched + (await shown(side.url, "kept", helpers));
}
