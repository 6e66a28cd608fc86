import { fieldsOf } from "./fields";

/** RunInfo is what the agent's method `runs` tells of a run, as far as the page shows it. */
export interface RunInfo {
  runId: string;
  /** It is over, and took no longer than it says. */
  over: boolean;
  /** How long it had taken when the server told of it, in milliseconds. */
  elapsed: number;
  /** When that was heard, in milliseconds since 1970 by the browser's clock, which may be wrong. */
  heardAt: number;
  /** Tokens, in and out. */
  tokens: number;
}

/** parseRunInfos reads the answer to `runs`, heard at a time of the browser's. What is none of it is left out. */
export function parseRunInfos(answer: unknown, heardAt: number): Record<string, RunInfo> {
  const list = Array.isArray(answer) ? answer : [];
  return Object.fromEntries(list.flatMap((value) => parseRunInfo(value, heardAt)).map((info) => [info.runId, info]));
}

function parseRunInfo(value: unknown, heardAt: number): RunInfo[] {
  const { runId, completedAt, elapsed, usage } = fieldsOf(value);
  if (typeof runId !== "string" || typeof elapsed !== "number") return [];
  return [{ runId, over: typeof completedAt === "number", elapsed, heardAt, tokens: tokensOf(usage) }];
}

function tokensOf(usage: unknown): number {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return Number(inputTokens ?? 0) + Number(outputTokens ?? 0) || 0;
}

/** timeOf is how long a run has taken by now, in milliseconds: the server's clock up to its answer, the browser's since. */
export function timeOf({ over, elapsed, heardAt }: RunInfo, now: number): number {
  return over ? elapsed : elapsed + Math.max(0, now - heardAt);
}

/**
 * goneOf are the runs that the server has deleted: of those that it had before, and of those that the page knew when it
 * asked, which it lacks in an answer that is whole.
 */
export function goneOf(before: string[], known: string[], infos: Record<string, RunInfo>, whole: boolean): string[] {
  return [...new Set([...before, ...(whole ? known : [])])].filter((id) => !(id in infos));
}

/** isMissing says whether a method failed because there is no such run any more. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("there is no run ");
}
