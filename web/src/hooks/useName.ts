import { useSyncExternalStore } from "react";
import { currentName, watchName } from "../address";

/** useName is the name of the conversation that the address asks for. */
export function useName(): string {
  return useSyncExternalStore(watchName, currentName);
}
