import { useAgent } from "agents/react";
import { useCallback, useEffect, useState } from "react";
import { agentAt } from "../address";
import { useToken } from "../hooks/useAddress";
import { useAgain } from "../hooks/useAgain";
import { useOnline } from "../hooks/useOnline";
import { type Phase, phaseOf, type Refusal, refusalOf } from "../phase";
import type { RunPath } from "../runpath";
import { type Inspection, isBusy, parseInspection } from "./inspection";

/** How often the storage is read at most, and how often while something is under way, in milliseconds. */
const soon = 500;
const often = 2000;

/** What was said that is not an answer to this page's own question. */
function isNews({ data }: MessageEvent): boolean {
  return typeof data === "string" && !data.startsWith('{"type":"rpc"');
}

export interface Inspected {
  phase: Phase;
  /** Why the connection was refused. */
  refusal: Refusal | undefined;
  inspection: Inspection | undefined;
  /** Why the storage could not be read, in the agent's words. */
  failure: string | undefined;
}

/** useInspection reads an agent's storage, or that of the helper that path leads to, and again whenever it may have changed. */
export function useInspection(name: string, path: RunPath): Inspected {
  const [inspection, setInspection] = useState<Inspection>();
  const [failure, setFailure] = useState<string>();
  const [dropped, setDropped] = useState(false);
  const [news, setNews] = useState(0);
  const online = useOnline();
  const token = useToken();
  const agent = useAgent({
    ...agentAt(name, path, token),
    onClose: () => setDropped(true),
    onMessage: (message) => isNews(message) && setNews((count) => count + 1),
  });
  const { identified, connectionError } = agent;

  const read = useCallback(() => {
    agent
      .call("inspect", [])
      .then((answer) => {
        setInspection(parseInspection(answer));
        setFailure(undefined);
      })
      .catch((error: Error) => setFailure(error.message));
  }, [agent]);
  useAgain(read, identified ? news : undefined, soon);

  const busy = identified && inspection !== undefined && isBusy(inspection);
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(read, often);
    return () => clearInterval(timer);
  }, [busy, read]);

  const refused = Boolean(connectionError);
  return {
    phase: phaseOf({ refused, identified, dropped, online, recovering: false }),
    refusal: refusalOf(connectionError),
    inspection,
    failure,
  };
}
