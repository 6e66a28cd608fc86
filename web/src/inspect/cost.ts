import type { RunStep } from "../runpath";
import type { Cost, Inspection, Usage } from "./inspection";

/** CostRow says what one object of the conversation has cost. */
export interface CostRow {
  /** The way to the object, empty for the inspected one. */
  path: string;
  class: string;
  /** The run that the helper works for, if it is a helper of the inspected object. */
  run: RunStep | undefined;
  /** What it has used since it came into memory; undefined if it has not been there since the conversation woke. */
  cost: Cost | undefined;
  /** What its model calls have used since it began; undefined where a helper above counts them. */
  usage: Usage | undefined;
}

/** costRows lists the inspected object, its helpers from the first to the last, and those of its helpers in memory. */
export function costRows({ class: kind, own, helpers, costs }: Inspection): CostRow[] {
  const costOf = (path: string) => costs.find((cost) => cost.path === path);
  const known = helpers.toReversed();
  return [
    { path: "", class: kind, run: undefined, cost: costOf(""), usage: own },
    ...known.flatMap(({ path, class: agent, run, usage }): CostRow[] => [
      { path, class: agent, run: { agent, name: run }, cost: costOf(path), usage },
      ...costs
        .filter((cost) => cost.path.startsWith(`${path}/`))
        .map((cost) => ({ path: cost.path, class: "Helper", run: undefined, cost, usage: undefined })),
    ]),
  ];
}

/** counts are the columns that count from when an object came into memory. */
export const counts = ["statements", "rowsRead", "rowsWritten", "down", "up"] as const;

/** usages are the columns that count model calls, from when an object began. */
export const usages = ["modelCalls", "inputTokens", "outputTokens"] as const;

/** sumOf adds one count of all objects in memory. */
export function sumOf(rows: CostRow[], count: (typeof counts)[number]): number {
  return rows.reduce((sum, { cost }) => sum + (cost?.[count] ?? 0), 0);
}

const grouped = new Intl.NumberFormat("en");

/** countText formats a count: `12,345`. */
export function countText(count: number): string {
  return grouped.format(count);
}

/** bytesText formats a number of bytes: `940 B`, `12.4 kB`, `3.1 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
