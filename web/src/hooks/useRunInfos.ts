import { useCallback, useState } from "react";
import type { Run } from "../run";
import { parseRunInfos, type RunInfo } from "../runinfo";
import { useAgain } from "./useAgain";

/** As many as a server lists at once. */
const limit = 500;

/** How long it leaves the server alone between two questions, in milliseconds. */
const pause = 1000;

/** Calls asks the agent for something by a method's name. */
export type Calls = (method: string, args: unknown[]) => Promise<unknown>;

/** What changes whenever a run has come a step further: only then is the server asked again. */
function stepsOf(runs: Record<string, Run>): string {
  return Object.values(runs)
    .map(({ runId, status, parts }) => `${runId} ${status} ${parts.length}`)
    .join("\n");
}

/** useRunInfos asks an agent what its runs took so far. An agent that tells nothing of it, as a helper, gives nothing. */
export function useRunInfos(call: Calls, runs: Record<string, Run>, connected: boolean): Record<string, RunInfo> {
  const [infos, setInfos] = useState<Record<string, RunInfo>>({});
  const steps = stepsOf(runs);
  const ask = useCallback(() => {
    call("runs", [{ limit, brief: true }]).then(
      (answer) => setInfos(parseRunInfos(answer)),
      () => undefined, // The page does without: what else is shown of a run does not depend on it.
    );
  }, [call]);
  useAgain(ask, connected && steps !== "" ? steps : undefined, pause);
  return infos;
}
