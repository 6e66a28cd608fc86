import { useMemo, useSyncExternalStore } from "react";
import { currentName, currentRun, watchAddress } from "../address";
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
