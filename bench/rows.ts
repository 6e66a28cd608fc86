// What the platform bills for what people do, and what goes over the socket. No figure here depends on the machine.
import type { Count } from "./count.ts";
import type { Key } from "./goals.ts";
import type { Side } from "./side.ts";
import { Tab } from "./tab.ts";
import { fan, replay } from "./watch.ts";

/** A Worker that counts. */
type Counting = Pick<Side, "name" | "url" | "ask">;

type Bill = Omit<Count, "size">;
type Note = (key: Key, value: number) => void;

/** The counts of a Worker's classes once they stay the same: over ten answers in a row nothing more has happened. */
export async function settled({ url }: Counting): Promise<Record<string, Count>> {
  let last = "";
  for (let same = 0; same < 10; ) {
    const text = await (await fetch(`${url}/counts`)).text();
    same = text === last ? same + 1 : 0;
    last = text;
  }
  return JSON.parse(last) as Record<string, Count>;
}

/** What all objects are billed for some work, and for whatever follows it. */
async function billOf(side: Counting, work: () => Promise<unknown>): Promise<Bill> {
  const before = total(await settled(side));
  await work();
  const after = total(await settled(side));
  const less = (key: keyof Bill) => after[key] - before[key];
  return {
    statements: less("statements"),
    rowsRead: less("rowsRead"),
    rowsWritten: less("rowsWritten"),
    unseen: less("unseen"),
  };
}

function total(counts: Record<string, Count>): Bill {
  const sum = (key: keyof Bill) => Object.values(counts).reduce((all, count) => all + count[key], 0);
  return {
    statements: sum("statements"),
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    unseen: sum("unseen"),
  };
}

type Billed = "fresh" | "turn5" | "turn100" | "turn1000" | "helper" | "helpers8" | "tab" | "calls";

function noteBill(note: Note, key: Billed, bill: Bill): void {
  for (const [name, value] of Object.entries(bill) as [keyof Bill, number][]) note(`${key}.${name}`, value);
}

/** A new agent, until it is connected. */
export async function fresh(side: Counting, note: Note): Promise<void> {
  const connect = async () => (await Tab.open(side.url, "fresh")).close();
  const bill = await billOf(side, connect);
  noteBill(note, "fresh", bill);
  note("fresh.size", ((await settled(side)).Assistant?.size ?? 0) / 1024);
  const again = await billOf(side, connect);
  note("fresh.opening", bill.statements - again.statements);
}

/** Turns of a conversation that has just begun. */
export async function turns(side: Counting, note: Note): Promise<void> {
  for (const [key, words] of [
    ["turn5", "chunks=5"],
    ["turn100", "chunks=100 delay=5"],
    ["turn1000", "chunks=1000"],
  ] as const) {
    const tab = await Tab.open(side.url, key);
    noteBill(note, key, await billOf(side, () => tab.ask(side.ask(`hi ${words}`, "write=1"))));
    tab.close();
  }
}

/** Turns with helpers, in conversations that have just begun, and the same answers shown to another tab. */
export async function helpers(side: Counting, note: Note): Promise<void> {
  for (const [key, n] of [
    ["helper", 1],
    ["helpers8", 8],
  ] as const) {
    const tab = await Tab.open(side.url, key);
    noteBill(note, key, await billOf(side, () => fan(side, key, n, 100, { delay: 5, floor: "write=1", tab })));
    tab.close();
  }
  note("helper.size", ((await settled(side)).Researcher?.size ?? 0) / 1024);
}

/** A turn whose code makes calls one after the other, in a conversation that has just begun. */
export async function code(side: Counting, note: Note): Promise<void> {
  const tab = await Tab.open(side.url, "calls");
  const calls = 'for (let n = 0; n < 100; n++) await tools.web_search({ query: "call " + n })';
  noteBill(note, "calls", await billOf(side, () => tab.ask(`code: ${calls}`)));
  tab.close();
}

/** How many runs a conversation has kept when another tab comes, and how many are at work at once. */
const few = 16;

/** Another tab of a conversation with kept runs, and a helper beside few of them and beside many. */
export async function kept(side: Counting, note: Note, many: number): Promise<void> {
  const tab = await Tab.open(side.url, "kept");
  await fan(side, "kept", few, 100, { delay: 5, tab });
  noteBill(note, "tab", await billOf(side, () => replay(side.url, "kept", few)));
  const helper = () => billOf(side, () => fan(side, "kept", 1, 100, { delay: 5, tab }));
  const beside = await helper();
  for (let has = few + 1; has + few < many; has += few) await fan(side, "kept", few, 1, { tab });
  note("flat.runs", (await helper()).rowsRead / beside.rowsRead);
  tab.close();
}

/** A turn behind few messages and behind many, and behind few turns and many. */
export async function history(side: Counting, note: Note, messages: number, turns: number): Promise<void> {
  const behind = async (name: string) => {
    const tab = await Tab.open(side.url, name);
    await tab.ask("hi chunks=5"); // a tab that has just come may be told the conversation
    const { rowsRead } = await billOf(side, () => tab.ask("hi chunks=5"));
    tab.close();
    return rowsRead;
  };
  for (const length of [10, messages]) await fill(side, `messages-${length}`, length);
  note("flat.messages", (await behind(`messages-${messages}`)) / (await behind("messages-10")));
  for (const length of [10, turns]) await speak(side, `turns-${length}`, length);
  note("flat.turns", (await behind(`turns-${turns}`)) / (await behind("turns-10")));
}

/** What the first two turns behind a connect send down, in a conversation of so many turns. */
export async function bytes(side: Counting, note: Note, turns: 10 | 1000): Promise<void> {
  const name = `bytes-${turns}`;
  await speak(side, name, turns - 1);
  for (const what of ["list", "new"] as const) {
    const tab = await Tab.open(side.url, name);
    for (const which of ["first", "next"] as const) {
      const before = what === "list" ? await stored(side, name) : [];
      await settled(side);
      const had = tab.bytes.down;
      await tab.ask("hi chunks=5", undefined, before);
      await settled(side);
      note(`bytes.${turns}.${what}.${which}`, tab.bytes.down - had);
    }
    tab.close();
  }
}

/** Has so many turns, each of a client that posts its new message. */
async function speak({ url }: Counting, name: string, turns: number): Promise<void> {
  const tab = await Tab.open(url, name);
  for (let i = 0; i < turns; i++) await tab.ask("hi chunks=5");
  tab.close();
}

/** How many messages of a list may be new to Tributary. */
const some = 256;

/** Makes a conversation of so many messages of a person, as a client that sets its own list. */
async function fill(side: Counting, name: string, length: number): Promise<void> {
  const messages = Array.from({ length }, (_, i) => ({
    id: `m${i}`,
    role: "user",
    parts: [{ type: "text", text: `message ${i} `.padEnd(100, "x") }],
  }));
  const tab = await Tab.open(side.url, name);
  for (let end = some; end < length + some; end += some)
    tab.send({ type: "cf_agent_chat_messages", messages: messages.slice(0, end) });
  await settled(side);
  tab.close();
  const { length: has } = await stored(side, name);
  if (has !== length) throw new Error(`${side.name} has stored ${has} messages of ${length}`);
}

async function stored({ url }: Counting, name: string): Promise<object[]> {
  return (await (await fetch(`${url}/agents/assistant/${name}/get-messages`)).json()) as object[];
}
