import { type Run, runState } from "./run";
import type { RunInfo } from "./runinfo";

type Infos = Partial<Record<string, RunInfo>>;

/** trayOf sorts background runs: first those that wait for a person, then running ones, then ended ones. */
export function trayOf(runs: readonly Run[], infos: Infos = {}): Run[] {
  return runs.toSorted((a, b) => rank(a, infos) - rank(b, infos));
}

function rank(run: Run, infos: Infos): number {
  if (run.status !== "running") return 2;
  return runState(run, infos[run.runId]).tone === "caution" ? 0 : 1;
}

/** traySummary counts runs by their state: `2 running, 1 completed`. */
export function traySummary(runs: readonly Run[], infos: Infos = {}): string {
  const counts = new Map<string, number>();
  for (const run of trayOf(runs, infos)) {
    const { word } = runState(run, infos[run.runId]);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
