import { type Run, runState } from "./run";

/** trayOf puts background runs into the order in which they matter: those that wait, those at work, what is over. */
export function trayOf(runs: readonly Run[]): Run[] {
  return runs.toSorted((a, b) => rank(a) - rank(b));
}

function rank(run: Run): number {
  if (run.status !== "running") return 2;
  return runState(run).tone === "caution" ? 0 : 1;
}

/** traySummary counts runs by their state, in words: `2 running, 1 completed`. */
export function traySummary(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of trayOf(runs)) {
    const { word } = runState(run);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
