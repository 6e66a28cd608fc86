import { useCallback, useState } from "react";
import type { Run } from "../run";
import { deletedOf, parseRunInfos, type RunInfo } from "../runinfo";
import { useThrottled } from "./useThrottled";
import { useVisible } from "./useVisible";

/** The largest number of runs that the server lists at once. */
const limit = 500;

/** The shortest time between two requests, in milliseconds. */
const pause = 1000;

/** Calls calls a method of the agent by its name. */
export type Calls = (method: string, args: unknown[]) => Promise<unknown>;

/** RunList is what the server reports about runs. */
export interface RunList {
  /** Their times and usage so far, by run id. */
  infos: Record<string, RunInfo>;
  /** The ids of runs that were deleted, here or in another tab. */
  deleted: string[];
}

/** A text that changes whenever a run has advanced. The server is asked again only then. */
function stepsOf(runs: Record<string, Run>): string {
  return Object.values(runs)
    .map(({ runId, status, parts }) => `${runId} ${status} ${parts.length}`)
    .join("\n");
}

/**
 * useRunInfos asks an agent for its runs, and again when one has advanced or the page becomes visible. `forget` marks a run
 * as deleted, and `ask` asks at once. The result is empty for an agent without the method `runs`, such as a helper.
 */
export function useRunInfos(call: Calls, runs: Record<string, Run>, connected: boolean) {
  const [list, setList] = useState<RunList>({ infos: {}, deleted: [] });
  const visible = useVisible();
  const steps = stepsOf(runs);
  const ids = Object.keys(runs).join("\n");
  const ask = useCallback(() => {
    const take = (answer: unknown) => {
      const infos = parseRunInfos(answer, Date.now());
      const whole = Array.isArray(answer) && answer.length < limit;
      setList(({ deleted }) => ({ infos, deleted: deletedOf(deleted, ids.split("\n"), infos, whole) }));
    };
    call("runs", [{ limit, brief: true }]).then(
      take,
      () => undefined, // The page shows runs without their times and usage.
    );
  }, [call, ids]);
  useThrottled(ask, connected && visible && steps !== "" ? steps : undefined, pause);
  const forget = useCallback(
    (runId: string) => setList(({ infos, deleted }) => ({ infos, deleted: [...deleted, runId] })),
    [],
  );
  return { ...list, forget, ask };
}
