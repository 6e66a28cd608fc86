// What a browser sees of helpers, and when, in milliseconds.
import type { Side } from "./side.ts";
import { Tab } from "./tab.ts";

interface Fan {
  /** When each helper had said something. */
  spoken: number;
  /** When the last chunk of all had come. */
  last: number;
}

interface Options {
  /** The pause between two chunks of a helper, in ms. */
  delay?: number;
  /** Words that only the floor obeys. */
  floor?: string;
  /** A tab that is connected; without it one is opened, and closed. */
  tab?: Tab;
}

/** Puts helpers to work in a conversation, and watches them until the answer that is made of theirs has ended. */
export async function fan(
  side: Pick<Side, "url" | "ask">,
  name: string,
  n: number,
  chunks: number,
  { delay = 0, floor = "", tab }: Options = {},
): Promise<Fan> {
  const at = tab ?? (await Tab.open(side.url, name));
  const seen = { speaking: new Set<string>(), said: 0, finished: 0 };
  const times = { spoken: 0, last: 0 };
  const show = (frame: string, ms: number) => {
    if (!frame.includes('"agent-tool-event"') || frame.includes('"replay":true')) return;
    if (frame.includes('"kind":"finished"')) seen.finished++;
    if (!frame.includes("text-delta")) return;
    times.last = ms;
    seen.said++;
    if (seen.speaking.size === n) return;
    seen.speaking.add(runOf(frame));
    times.spoken = ms;
  };
  const words = `tool=fan n=${n} chunks=${chunks}${delay ? ` delay=${delay}` : ""}`;
  await at.ask(side.ask(words, floor), show);
  if (!tab) at.close();
  if (seen.finished !== n || seen.said !== n * chunks || seen.speaking.size !== n)
    throw new Error(`${seen.finished} of ${n} helpers finished, ${seen.said} of ${n * chunks} chunks came`);
  return times;
}

/**
 * Connects to a conversation, and waits until everything is shown again of so many helpers that have finished. It parses every
 * frame, as a browser would.
 */
export async function replay(url: string, name: string, helpers: number): Promise<number> {
  const start = performance.now();
  let finished = 0;
  const shown = (text: string) => {
    const frame = JSON.parse(text) as { replay?: boolean; event?: { kind: string } };
    if (frame.replay && frame.event?.kind === "finished") finished++;
    return finished === helpers;
  };
  (await Tab.open(url, name, shown)).close();
  return performance.now() - start;
}

function runOf(frame: string): string {
  return /"runId":"([^"]+)"/.exec(frame)?.[1] ?? "";
}
