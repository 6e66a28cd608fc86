import { fieldsOf } from "./fields";
import type { ToolPart } from "./part";
import { questionOf } from "./question";
import type { Run } from "./run";
import type { Tone } from "./tone";

/** ToolState describes the state of a tool call. */
export interface ToolState {
  word: string;
  tone: Tone;
  /** Why it failed or was denied. */
  reason?: string | undefined;
}

/** The error texts of a call whose turn or run a person has stopped. */
const stops = ["the turn was stopped", "the run was cancelled", "it was stopped"];

/** The error text of a call that was under way when the code that had made it ended. */
const left = "the code has ended without waiting for it";

const stopped: ToolState = { word: "stopped", tone: "caution" };

/**
 * toolState describes a tool call. `live` says whether its turn or run is still active. `openCallState` is the state of a call
 * that has no result although nothing can answer it any more.
 */
export function toolState(part: ToolPart, live: boolean, openCallState?: ToolState): ToolState {
  if (questionOf(part)) return openCallState ?? { word: "waiting for an answer", tone: "caution" };
  switch (part.state) {
    case "approval-requested":
      return openCallState ?? { word: "waiting for approval", tone: "caution" };
    case "approval-responded":
      return part.approval.approved
        ? underWay(live, openCallState ?? { word: "approved, goes on", tone: "calm" })
        : { word: "denied", tone: "calm" };
    case "output-denied":
      return { word: "denied", tone: "calm", reason: part.approval.reason };
    case "output-error":
      return withoutOutput(part.errorText);
    case "output-available":
      if (part.preliminary) return underWay(live, openCallState);
      return isFailure(part.output) ? failed(part.output) : { word: "done", tone: "calm" };
    default:
      return underWay(live, openCallState);
  }
}

/** withoutOutput is the state of a call that has ended without an output. */
function withoutOutput(error: string): ToolState {
  if (stops.includes(error)) return stopped;
  if (error === left) return { ...stopped, tone: "calm", reason: error };
  return { word: "failed", tone: "danger", reason: error };
}

/**
 * underWay is the state of a call without a result. If its turn has ended, the turn was stopped or the connection is
 * lost.
 */
function underWay(live: boolean, openCallState: ToolState = { word: "unfinished", tone: "calm" }): ToolState {
  return live ? { word: "running", tone: "live" } : openCallState;
}

/** openCallStateOf is the state of a call that had no result when its run ended. The run's log holds nothing later. */
export function openCallStateOf(status: Exclude<Run["status"], "running">): ToolState {
  return status === "aborted" ? stopped : underWay(false);
}

/** Failure is the output of a helper's tool call when the helper failed. */
interface Failure {
  ok: false;
  status?: unknown;
  error?: unknown;
  reason?: unknown;
  retryable?: unknown;
}

function isFailure(output: unknown): output is Failure {
  return fieldsOf(output).ok === false;
}

function failed({ status, error, reason, retryable }: Failure): ToolState {
  const why = [error, reason].filter((word) => typeof word === "string" && word !== "").join(": ");
  if (status === "aborted") return stopped;
  const state: ToolState =
    status === "interrupted" ? { word: status, tone: "caution" } : { word: "failed", tone: "danger" };
  return { ...state, reason: retryable === true ? `${why || state.word}; it can be tried again` : why };
}
