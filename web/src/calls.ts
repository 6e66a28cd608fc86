import type { ToolState } from "./tool";

/** callsSummary counts calls by their states: `3 calls · 1 done · 2 running`; empty if there is none. */
export function callsSummary(states: readonly ToolState[]): string {
  if (states.length === 0) return "";
  const counts = new Map<string, number>();
  for (const { word } of states) counts.set(word, (counts.get(word) ?? 0) + 1);
  const total = count(states.length, "call");
  if (counts.get("done") === states.length) return total;
  return [total, ...[...counts].map(([word, times]) => `${times} ${word}`)].join(" · ");
}

/** count names how many there are of something: `1 call`, `3 calls`. */
export function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** How many of a long list of calls are always shown. */
const latest = 8;

/** So few calls are not left out. */
const few = 2;

/** earlierCalls is how many calls at the beginning of a long list are first left out. All of them have ended. */
export function earlierCalls(states: readonly ToolState[]): number {
  const open = states.findIndex(({ tone }) => tone === "live" || tone === "caution");
  const ended = open < 0 ? states.length : open;
  const earlier = Math.min(ended, states.length - latest);
  return earlier > few ? earlier : 0;
}
