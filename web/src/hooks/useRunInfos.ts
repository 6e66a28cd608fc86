import { useCallback, useState } from "react";
import type { Run } from "../run";
import { goneOf, parseRunInfos, type RunInfo } from "../runinfo";
import { useAgain } from "./useAgain";
import { useVisible } from "./useVisible";

/** As many as a server lists at once. */
const limit = 500;

/** How long it leaves the server alone between two questions, in milliseconds. */
const pause = 1000;

/** Calls asks the agent for something by a method's name. */
export type Calls = (method: string, args: unknown[]) => Promise<unknown>;

/** RunList is what the server tells of runs. */
export interface RunList {
  /** What they took so far, by their ids. */
  infos: Record<string, RunInfo>;
  /** The runs that it has deleted, here or in another tab. */
  gone: string[];
}

/** What changes whenever a run has come a step further: only then is the server asked again. */
function stepsOf(runs: Record<string, Run>): string {
  return Object.values(runs)
    .map(({ runId, status, parts }) => `${runId} ${status} ${parts.length}`)
    .join("\n");
}

/**
 * useRunInfos asks an agent for its runs, also when the page is looked at again; forget is for one that is known to be
 * deleted. An agent that tells nothing of them, as a helper, gives nothing.
 */
export function useRunInfos(call: Calls, runs: Record<string, Run>, connected: boolean) {
  const [list, setList] = useState<RunList>({ infos: {}, gone: [] });
  const visible = useVisible();
  const steps = stepsOf(runs);
  const ids = Object.keys(runs).join("\n");
  const ask = useCallback(() => {
    const take = (answer: unknown) => {
      const infos = parseRunInfos(answer, Date.now());
      const whole = Array.isArray(answer) && answer.length < limit;
      setList(({ gone }) => ({ infos, gone: goneOf(gone, ids.split("\n"), infos, whole) }));
    };
    call("runs", [{ limit, brief: true }]).then(
      take,
      () => undefined, // The page does without: what else is shown of a run does not depend on it.
    );
  }, [call, ids]);
  useAgain(ask, connected && visible && steps !== "" ? steps : undefined, pause);
  const forget = useCallback((runId: string) => setList(({ infos, gone }) => ({ infos, gone: [...gone, runId] })), []);
  return { ...list, forget };
}
