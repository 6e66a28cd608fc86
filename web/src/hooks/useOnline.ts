import { useSyncExternalStore } from "react";

/** watchNetwork calls changed whenever the browser goes online or offline, until the returned function is called. */
export function watchNetwork(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** useOnline says whether the browser is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchNetwork, () => navigator.onLine);
}
