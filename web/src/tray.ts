import { type Run, runState } from "./run";

/** trayOf sorts background runs: first those that wait for approval, then running ones, then ended ones. */
export function trayOf(runs: readonly Run[]): Run[] {
  return runs.toSorted((a, b) => rank(a) - rank(b));
}

function rank(run: Run): number {
  if (run.status !== "running") return 2;
  return runState(run).tone === "caution" ? 0 : 1;
}

/** traySummary counts runs by their state: `2 running, 1 completed`. */
export function traySummary(runs: readonly Run[]): string {
  const counts = new Map<string, number>();
  for (const run of trayOf(runs)) {
    const { word } = runState(run);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
