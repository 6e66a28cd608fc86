import { useCallback, useState } from "react";
import { parseServers, type Server } from "../servers";

/** useServers keeps what the published hook tells of the agent's servers. */
export function useServers() {
  const [servers, set] = useState<Server[]>([]);
  const hear = useCallback((told: unknown) => set(parseServers(told)), []);
  return { servers, hear };
}
