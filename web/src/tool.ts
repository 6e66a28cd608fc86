import { type DynamicToolUIPart, isToolUIPart, type ToolUIPart } from "ai";
import { fieldsOf } from "./fields";
import type { MessagePart } from "./message";
import type { Run } from "./run";
import type { Tone } from "./tone";

export type ToolPart = ToolUIPart | DynamicToolUIPart;

/** Asking is a tool call that waits until a person has answered. */
export type Asking = ToolPart & { state: "approval-requested" };

/** isAsking says whether a part is such a call. */
export function isAsking(part: MessagePart): part is Asking {
  return isToolUIPart(part) && part.state === "approval-requested";
}

/** ToolState is where a tool call stands, in words. */
export interface ToolState {
  word: string;
  tone: Tone;
  /** Why it failed or was denied. */
  reason?: string | undefined;
}

/** The words in which the server ends a call because a person has stopped what it belongs to. */
const stops = ["the turn was stopped", "the run was cancelled"];

const stopped: ToolState = { word: "stopped", tone: "caution" };

/**
 * toolState puts a tool call's state into words; live says whether what it belongs to is still under way, and left how a
 * call was left that nobody can answer any more.
 */
export function toolState(part: ToolPart, live: boolean, left?: ToolState): ToolState {
  switch (part.state) {
    case "approval-requested":
      return left ?? { word: "waiting for approval", tone: "caution" };
    case "approval-responded":
      return part.approval.approved
        ? underWay(live, left ?? { word: "approved", tone: "calm" })
        : { word: "denied", tone: "calm" };
    case "output-denied":
      return { word: "denied", tone: "calm", reason: part.approval.reason };
    case "output-error":
      return stops.includes(part.errorText) ? stopped : { word: "failed", tone: "danger", reason: part.errorText };
    case "output-available":
      if (part.preliminary) return underWay(live, left);
      return isFailure(part.output) ? failed(part.output) : { word: "done", tone: "calm" };
    default:
      return underWay(live, left);
  }
}

/** A call that is not over although its turn is: the turn was stopped, or the connection is lost. */
function underWay(live: boolean, left: ToolState = { word: "unfinished", tone: "calm" }): ToolState {
  return live ? { word: "running", tone: "live" } : left;
}

/** leftOpen is how a call was left that had no end when its run had: the run's log holds nothing of what came later. */
export function leftOpen(status: Exclude<Run["status"], "running">): ToolState {
  return status === "aborted" ? stopped : underWay(false);
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
  return fieldsOf(output).ok === false;
}

function failed({ status, error, reason, retryable }: Failure): ToolState {
  const why = [error, reason].filter((word) => typeof word === "string" && word !== "").join(": ");
  if (status === "aborted") return stopped;
  const state: ToolState =
    status === "interrupted" ? { word: status, tone: "caution" } : { word: "failed", tone: "danger" };
  return { ...state, reason: retryable === true ? `${why || state.word}; it can be tried again` : why };
}
