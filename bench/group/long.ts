// Connecting and answering in a conversation of 10 messages and of 10,000.
import { Side } from "../side.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";

const lengths = [10, 1000, 10_000] as const;

export async function long(table: Table, rounds: number): Promise<void> {
  const side = await Side.start("tributary");
  try {
    for (const length of lengths) await fill(side, length);
    for (let i = 0; i < rounds; i++) for (const length of lengths) await measure(side, length, table);
  } finally {
    await side.stop();
  }
}

const name = (length: number) => `long-${length}`;

/** What it costs to open a conversation and to ask something in it. */
async function measure({ url, name: side }: Side, length: (typeof lengths)[number], table: Table): Promise<void> {
  const asked = performance.now();
  await (await fetch(`${url}/agents/assistant/${name(length)}/get-messages`)).text();
  table.add(`long.${length}.messages`, side, performance.now() - asked);
  const opened = performance.now();
  const tab = await Tab.open(url, name(length));
  table.add(`long.${length}.connect`, side, performance.now() - opened);
  await tab.ask("hi chunks=5"); // it may be told the conversation, since it has just come
  table.add(`long.${length}.new`, side, (await tab.ask("hi chunks=5")).first);
  table.add(`long.${length}.list`, side, (await tab.ask("hi chunks=5", undefined, list(length))).first);
  tab.close();
}

function message(i: number): object {
  return { id: `m${i}`, role: "user", parts: [{ type: "text", text: `message ${i} `.padEnd(200, "x") }] };
}

/** What the published client posts of a conversation by itself: what it was shown, and an answer behind it. */
function list(length: number): object[] {
  const shown = Array.from({ length: Math.min(length, 4_000) }, (_, i) => message(length - i));
  return [...shown, { id: "an-answer", role: "assistant", parts: [] }];
}

async function fill({ url }: Side, length: number): Promise<void> {
  const tab = await Tab.open(url, name(length));
  for (let from = 0; from < length; from += 250) {
    const some = Array.from({ length: Math.min(250, length - from) }, (_, i) => message(from + i));
    tab.send({ type: "cf_agent_chat_messages", messages: some });
  }
  await tab.ask("hi chunks=1");
  tab.close();
}
