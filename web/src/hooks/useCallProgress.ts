import { useCallback, useState } from "react";
import { type CallProgress, parseCallProgress } from "../callprogress";

/** useCallProgress keeps the latest progress of each call, by the id of the call, from the parts of the stream. */
export function useCallProgress() {
  const [progress, set] = useState<Record<string, CallProgress>>({});
  const hearPart = useCallback((part: unknown) => {
    const told = parseCallProgress(part);
    if (told) set((all) => ({ ...all, [told.toolCallId]: told }));
  }, []);
  return { progress, hearPart };
}
