/** RunInfo is what the agent's method `runs` tells of a run, as far as the page shows it. */
export interface RunInfo {
  runId: string;
  status: string;
  /** In milliseconds since 1970, by the server's clock. */
  startedAt: number;
  /** Absent until the run is over. */
  completedAt?: number;
  /** Tokens, in and out. */
  tokens: number;
}

/** parseRunInfos reads the answer to `runs`. What is none of it is left out. */
export function parseRunInfos(answer: unknown): Record<string, RunInfo> {
  const list = Array.isArray(answer) ? answer : [];
  return Object.fromEntries(list.flatMap(parseRunInfo).map((info) => [info.runId, info]));
}

function parseRunInfo(value: unknown): RunInfo[] {
  if (typeof value !== "object" || value === null) return [];
  const { runId, status, startedAt, completedAt, usage } = value as Record<string, unknown>;
  if (typeof runId !== "string" || typeof status !== "string" || typeof startedAt !== "number") return [];
  const over = typeof completedAt === "number" ? { completedAt } : {};
  return [{ runId, status, startedAt, ...over, tokens: tokensOf(usage) }];
}

function tokensOf(usage: unknown): number {
  if (typeof usage !== "object" || usage === null) return 0;
  const { inputTokens, outputTokens } = usage as Record<string, unknown>;
  return Number(inputTokens ?? 0) + Number(outputTokens ?? 0) || 0;
}
