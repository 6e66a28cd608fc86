import { fieldsOf } from "./fields";

/** RunInfo is what the agent's method `runs` reports about a run, as far as the page shows it. */
export interface RunInfo {
  runId: string;
  /** The run has ended, so `elapsed` is final. */
  over: boolean;
  /** How long it had taken when the server answered, in milliseconds. */
  elapsed: number;
  /** When the answer arrived, in milliseconds since 1970 by the browser's clock, which may be wrong. */
  heardAt: number;
  /** Input and output tokens together. */
  tokens: number;
  /** It was paused, and not ended or resumed since. */
  paused: boolean;
  /** Its labels, by their keys. */
  labels: Record<string, string>;
  /** The run that it repeats, and the run that repeats it; empty if there is none. */
  restartOf: string;
  restartedAs: string;
}

/** parseRunInfos reads the answer to `runs`, which arrived at heardAt. It leaves out values of another form. */
export function parseRunInfos(answer: unknown, heardAt: number): Record<string, RunInfo> {
  const list = Array.isArray(answer) ? answer : [];
  return Object.fromEntries(list.flatMap((value) => parseRunInfo(value, heardAt)).map((info) => [info.runId, info]));
}

function parseRunInfo(value: unknown, heardAt: number): RunInfo[] {
  const { runId, completedAt, elapsed, usage, status, labels, restartOf, restartedAs } = fieldsOf(value);
  if (typeof runId !== "string" || typeof elapsed !== "number") return [];
  return [
    {
      runId,
      over: typeof completedAt === "number",
      elapsed,
      heardAt,
      tokens: tokensOf(usage),
      paused: status === "paused",
      labels: Object.fromEntries(
        Object.entries(fieldsOf(labels)).flatMap(([key, label]) => (typeof label === "string" ? [[key, label]] : [])),
      ),
      restartOf: typeof restartOf === "string" ? restartOf : "",
      restartedAs: typeof restartedAs === "string" ? restartedAs : "",
    },
  ];
}

function tokensOf(usage: unknown): number {
  const { inputTokens, outputTokens } = fieldsOf(usage);
  return Number(inputTokens ?? 0) + Number(outputTokens ?? 0) || 0;
}

/**
 * timeOf is how long a run has taken, in milliseconds: by the server's clock up to its answer, by the browser's clock
 * since.
 */
export function timeOf({ over, elapsed, heardAt }: RunInfo, now: number): number {
  return over ? elapsed : elapsed + Math.max(0, now - heardAt);
}

/**
 * deletedOf lists the ids of deleted runs. Candidates are the runs that were deleted before and, if the answer is complete, the
 * runs that the page knew when it asked. A candidate that the answer contains is not deleted.
 */
export function deletedOf(before: string[], known: string[], infos: Record<string, RunInfo>, whole: boolean): string[] {
  return [...new Set([...before, ...(whole ? known : [])])].filter((id) => !(id in infos));
}

/** isMissing says whether a method failed because the run does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("there is no run ");
}
