import { useMemo, useSyncExternalStore } from "react";
import { currentName, currentRun, currentToken, watchAddress } from "../address";
import { parseRun, type RunPath } from "../runpath";

/** useName is the name of the conversation in the address. */
export function useName(): string {
  return useSyncExternalStore(watchAddress, currentName);
}

/** useRunPath is the path of the helper in the address; empty while there is none. */
export function useRunPath(): RunPath {
  const run = useSyncExternalStore(watchAddress, currentRun);
  return useMemo(() => parseRun(run), [run]);
}

/** useToken is the page's token. A new token opens the connections again. */
export function useToken(): string {
  return useSyncExternalStore(watchAddress, currentToken);
}
