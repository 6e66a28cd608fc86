import { fieldsOf } from "./fields";

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
  const { runId, status, startedAt, completedAt, usage } = fieldsOf(value);
  if (typeof runId !== "string" || typeof status !== "string" || typeof startedAt !== "number") return [];
  const over = typeof completedAt === "number" ? { completedAt } : {};
  return [{ runId, status, startedAt, ...over, tokens: tokensOf(usage) }];
}

function tokensOf(usage: unknown): number {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return Number(inputTokens ?? 0) + Number(outputTokens ?? 0) || 0;
}
