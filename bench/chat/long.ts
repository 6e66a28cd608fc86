// Connecting and answering in a conversation of 10 messages and of 10,000: node bench/chat/long.ts [rounds]
import { type Dev, dev } from "../../e2e/dev.ts";
import { median } from "../quantile.ts";
import { Tab } from "./tab.ts";

const rounds = Number(process.argv[2] ?? 20);
const lengths = [10, 1_000, 10_000];

const server = await dev();
try {
  for (const length of lengths) await measure(server, length);
} finally {
  await server.stop();
}

/** Fills a conversation, and prints what it costs to open it and to ask something in it. */
async function measure({ url }: Dev, length: number): Promise<void> {
  const name = `long-${length}`;
  await fill(url, name, length);
  const times: Record<string, number[]> = {
    "get-messages": [],
    connect: [],
    "first text": [],
    end: [],
    "with a list": [],
  };
  for (let i = 0; i < rounds; i++) {
    const asked = performance.now();
    await (await fetch(`${url}/agents/assistant/${name}/get-messages`)).text();
    times["get-messages"]?.push(performance.now() - asked);
    const opened = performance.now();
    const tab = await Tab.open(url, name);
    times.connect?.push(performance.now() - opened);
    await tab.ask("hi chunks=5"); // it may be told the conversation, since it has just come
    const { first, end } = await tab.ask("hi chunks=5");
    times["first text"]?.push(first);
    times.end?.push(end);
    times["with a list"]?.push((await tab.ask("hi chunks=5", undefined, list(length))).first);
    tab.close();
  }
  const said = Object.entries(times).map(([what, ms]) => `${what} ${median(ms).toFixed(1)} ms`);
  console.log(`${length} messages: ${said.join(", ")}`);
}

function message(i: number): object {
  return { id: `m${i}`, role: "user", parts: [{ type: "text", text: `message ${i} `.padEnd(200, "x") }] };
}

/** What the published client posts of a conversation by itself: what it was shown, and an answer behind it. */
function list(length: number): object[] {
  const shown = Array.from({ length: Math.min(length, 4_000) }, (_, i) => message(length - i));
  return [...shown, { id: "an-answer", role: "assistant", parts: [] }];
}

async function fill(url: string, name: string, length: number): Promise<void> {
  const tab = await Tab.open(url, name);
  for (let from = 0; from < length; from += 2_500) {
    const some = Array.from({ length: Math.min(2_500, length - from) }, (_, i) => message(from + i));
    tab.send({ type: "cf_agent_chat_messages", messages: some });
  }
  await tab.ask("hi chunks=1");
  tab.close();
}
