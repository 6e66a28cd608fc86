import { useMemo, useSyncExternalStore } from "react";
import { currentName, currentRun, currentToken, watchAddress } from "../address";
import { parseRun, type RunPath } from "../runpath";

/** useName is the name of the conversation that the address asks for. */
export function useName(): string {
  return useSyncExternalStore(watchAddress, currentName);
}

/** useRunPath leads to the helper that the address asks for; empty while it asks for none. */
export function useRunPath(): RunPath {
  const run = useSyncExternalStore(watchAddress, currentRun);
  return useMemo(() => parseRun(run), [run]);
}

/** useToken is the page's own token; another one makes its connections anew. */
export function useToken(): string {
  return useSyncExternalStore(watchAddress, currentToken);
}
