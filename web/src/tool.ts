import type { DynamicToolUIPart, ToolUIPart } from "ai";
import type { Tone } from "./tone";

export type ToolPart = ToolUIPart | DynamicToolUIPart;

/** ToolState is where a tool call stands, in words. */
export interface ToolState {
  word: string;
  tone: Tone;
  /** Why it failed or was denied. */
  reason?: string | undefined;
}

/** toolState puts a tool call's state into words; live says whether what it belongs to is still under way. */
export function toolState(part: ToolPart, live: boolean): ToolState {
  switch (part.state) {
    case "approval-requested":
      return { word: "waiting for approval", tone: "caution" };
    case "approval-responded":
      return part.approval.approved ? underWay(live, "approved") : { word: "denied", tone: "calm" };
    case "output-denied":
      return { word: "denied", tone: "calm", reason: part.approval.reason };
    case "output-error":
      return { word: "failed", tone: "danger", reason: part.errorText };
    case "output-available":
      if (part.preliminary) return underWay(live);
      return isFailure(part.output) ? failed(part.output) : { word: "done", tone: "calm" };
    default:
      return underWay(live);
  }
}

/** A call that is not over although its turn is: the turn was stopped, or the connection is lost. */
function underWay(live: boolean, otherwise = "unfinished"): ToolState {
  return live ? { word: "running", tone: "live" } : { word: otherwise, tone: "calm" };
}

/** Failure is what a helper's tool answers when the helper failed. */
interface Failure {
  ok: false;
  status?: unknown;
  error?: unknown;
  reason?: unknown;
  retryable?: unknown;
}

function isFailure(output: unknown): output is Failure {
  return typeof output === "object" && output !== null && "ok" in output && output.ok === false;
}

function failed({ status, error, reason, retryable }: Failure): ToolState {
  const why = [error, reason].filter((word) => typeof word === "string" && word !== "").join(": ");
  const word = status === "aborted" || status === "interrupted" ? status : "failed";
  return { word, tone: "danger", reason: retryable === true ? `${why || word}; it can be tried again` : why };
}
