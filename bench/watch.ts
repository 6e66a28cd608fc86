// What a browser sees of helpers, and when, in milliseconds.
import { Tab } from "../chat/tab.ts";

/** The timeout of each measurement, in ms. */
const timeout = 120_000;

export interface Fan {
  /** When each helper had said something. */
  spoken: number;
  /** When the last chunk of all had come. */
  last: number;
}

/** Puts helpers to work in a conversation, and watches them until the answer that is made of theirs has ended. */
export async function fan(url: string, name: string, n: number, chunks: number, { leave = true } = {}): Promise<Fan> {
  const tab = await within("connecting", Tab.open(url, name));
  const seen = { speaking: new Set<string>(), said: 0, finished: 0 };
  const times = { spoken: 0, last: 0 };
  const show = (frame: string, ms: number) => {
    if (!frame.includes('"agent-tool-event"')) return;
    if (frame.includes('"kind":"finished"')) seen.finished++;
    if (!frame.includes("text-delta")) return;
    times.last = ms;
    seen.said++;
    if (seen.speaking.size === n) return;
    seen.speaking.add(runOf(frame));
    times.spoken = ms;
  };
  await within(`${n} helpers`, tab.ask(`tool=fan n=${n} chunks=${chunks}`, show));
  if (leave) tab.close();
  if (seen.finished !== n || seen.said !== n * chunks || seen.speaking.size !== n)
    throw new Error(`${seen.finished} of ${n} helpers finished, ${seen.said} of ${n * chunks} chunks came`);
  return times;
}

/** Connects to a conversation, and waits until everything is shown again of so many helpers that have finished. */
export async function replay(url: string, name: string, helpers: number): Promise<number> {
  const start = performance.now();
  let finished = 0;
  const tab = await within(
    "the replay",
    Tab.open(url, name, (frame) => {
      if (frame.includes('"replay":true') && frame.includes('"kind":"finished"')) finished++;
      return finished === helpers;
    }),
  );
  tab.close();
  return performance.now() - start;
}

/** Connects to the bare object, and waits until so many frames have come and been parsed. */
export function frames(url: string, n: number): Promise<number> {
  const start = performance.now();
  let came = 0;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace("http", "ws")}/?frames=${n}`);
    socket.addEventListener("error", () => reject(new Error("the bare object cannot be reached")));
    socket.addEventListener("message", ({ data }: { data: unknown }) => {
      JSON.parse(String(data));
      if (++came < n) return;
      socket.close();
      resolve(performance.now() - start);
    });
  });
}

function runOf(frame: string): string {
  return /"runId":"([^"]+)"/.exec(frame)?.[1] ?? "";
}

function within<T>(what: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what} took more than ${timeout / 1000} s`)), timeout);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
