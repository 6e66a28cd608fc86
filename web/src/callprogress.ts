import { createContext } from "react";
import { fieldsOf } from "./fields";

/** CallProgress is how far a server says that a call of its tool is. */
export interface CallProgress {
  toolCallId: string;
  /** How much is done, from 0 to 1; undefined where the server does not say how much there is. */
  fraction: number | undefined;
  message: string;
}

/** parseCallProgress reads the part of the stream that shows a progress; undefined for any other part. */
export function parseCallProgress(part: unknown): CallProgress | undefined {
  const { type, data } = fieldsOf(part);
  const { toolCallId, progress, total, message } = fieldsOf(data);
  if (type !== "data-mcp-progress" || typeof toolCallId !== "string" || typeof progress !== "number") return undefined;
  const known = typeof total === "number" && total > 0;
  const words = known ? `${progress} of ${total}` : String(progress);
  return {
    toolCallId,
    fraction: known ? Math.min(Math.max(progress / total, 0), 1) : undefined,
    message: typeof message === "string" && message !== "" ? message : words,
  };
}

/** CallProgressContext gives tool cards the progress of their calls, by the ids of the calls. */
export const CallProgressContext = createContext<Record<string, CallProgress>>({});
