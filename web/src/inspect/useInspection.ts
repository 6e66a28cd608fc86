import { useAgent } from "agents/react";
import { useCallback, useEffect, useState } from "react";
import { agentAt, type Inspected } from "../address";
import { useToken } from "../hooks/useAddress";
import { useOnline } from "../hooks/useOnline";
import { useThrottled } from "../hooks/useThrottled";
import { type Phase, phaseOf, type Refusal, refusalOf } from "../phase";
import type { RunPath } from "../runpath";
import { type Inspection, isBusy, parseInspection } from "./inspection";

/** The shortest time between two reads, and the time between reads while something is active, in milliseconds. */
const minInterval = 500;
const pollInterval = 2000;

/** Whether a message is not the answer to one of this page's own calls. */
function isBroadcast({ data }: MessageEvent): boolean {
  return typeof data === "string" && !data.startsWith('{"type":"rpc"');
}

/** Inspecting is the state of the inspector: its connection and what it has read. */
export interface Inspecting {
  phase: Phase;
  /** Why the connection was refused. */
  refusal: Refusal | undefined;
  inspection: Inspection | undefined;
  /** Why the storage could not be read, in the agent's words. */
  failure: string | undefined;
}

/**
 * useInspection reads the storage of an agent, or of the helper at the end of path, and again whenever it may have
 * changed.
 */
export function useInspection({ agent: segment, name }: Inspected, path: RunPath): Inspecting {
  const [inspection, setInspection] = useState<Inspection>();
  const [failure, setFailure] = useState<string>();
  const [dropped, setDropped] = useState(false);
  const [broadcasts, setBroadcasts] = useState(0);
  const online = useOnline();
  const token = useToken();
  const agent = useAgent({
    ...agentAt(segment, name, path, token),
    onClose: () => setDropped(true),
    onMessage: (message) => isBroadcast(message) && setBroadcasts((count) => count + 1),
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
  useThrottled(read, identified ? broadcasts : undefined, minInterval);

  const busy = identified && inspection !== undefined && isBusy(inspection);
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(read, pollInterval);
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
