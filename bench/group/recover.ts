// What a kill costs: workerd ends in the middle of helpers' work, and comes back on the same storage. How long is it from
// the Worker's first answer to the first new word of a helper, and to the first of each?
import { setTimeout } from "node:timers/promises";
import { kill } from "../../e2e/workerd.ts";
import { Side } from "../side.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";

/** How many helpers are interrupted, and what each of them says, at which pace in ms. */
const sizes = [1, 8] as const;
const speech = "chunks=300 delay=20";
/** How many words each has said when the kill comes, and how long anything may take, in ms. */
const spoken = 20;
const patience = 60_000;

export async function recover(table: Table, rounds: number): Promise<void> {
  const side = await Side.start("tributary");
  try {
    for (let i = 0; i < Math.ceil(rounds / 2); i++)
      for (const n of sizes)
        await table.take([`recover.${n}.restart`, `recover.${n}.first`, `recover.${n}.every`], side.name, () =>
          interrupt(side, `round-${i}-${n}`, n),
        );
  } finally {
    await side.stop();
  }
}

/** From the kill to the Worker's first answer, and from that to the first new word of any helper and of every one. */
async function interrupt({ server, state }: Side, name: string, n: number): Promise<number[]> {
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
  await answering(server.url);
  const answered = performance.now();
  const heard = new Map<string, number>();
  const after = await Tab.open(server.url, name, (frame) => {
    const event = word(frame);
    if (event && !event.replay && event.number > high && !heard.has(event.run)) heard.set(event.run, performance.now());
    return heard.size === n;
  });
  after.close();
  const times = [...heard.values()];
  return [answered - killed, Math.min(...times) - answered, Math.max(...times) - answered];
}

/** What a frame has of a helper's word, if it is one. */
function word(frame: string): { run: string; number: number; replay: boolean } | undefined {
  if (!frame.includes('"agent-tool-event"') || !frame.includes("text-delta")) return undefined;
  const { sequence, replay = false, event } = JSON.parse(frame);
  return { run: event.runId, number: sequence, replay };
}

/** Waits until the Worker that was started anew answers. The conversation is not asked, and stays out of memory. */
async function answering(url: string): Promise<void> {
  for (const late = performance.now() + patience; performance.now() < late; await setTimeout(5)) {
    const response = await fetch(`${url}/agents/assistant/elsewhere/get-messages`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error("the Worker does not come back");
}
