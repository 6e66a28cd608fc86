import type { AgentToolRunState } from "agents/agent-tools";
import { isToolUIPart } from "ai";
import type { MessagePart } from "./message";
import { preview } from "./preview";
import type { Tone } from "./tone";

/** Run is one helper's run as its parent's page knows it. */
export type Run = AgentToolRunState<MessagePart>;

/** runTitle is what a helper is called: by its display name, or else by its class. */
export function runTitle(run: Run): string {
  return run.display?.name || run.agentType;
}

/** runLabel tells a helper from its siblings: its title and what it was asked. */
export function runLabel(run: Run): string {
  const asked = preview(run.inputPreview);
  return `Helper ${runTitle(run)}${asked && `: ${asked}`}`;
}

const states: Record<Run["status"], { word: string; tone: Tone }> = {
  running: { word: "running", tone: "live" },
  completed: { word: "completed", tone: "calm" },
  error: { word: "failed", tone: "danger" },
  aborted: { word: "aborted", tone: "caution" },
  interrupted: { word: "interrupted", tone: "caution" },
};

/** runState puts a run's status into a word. */
export function runState(run: Run): { word: string; tone: Tone } {
  const asks = (part: MessagePart) => isToolUIPart(part) && part.state === "approval-requested";
  if (run.status === "running" && run.parts.some(asks)) return { word: "waiting for approval", tone: "caution" };
  return states[run.status];
}

/** runReason is why a run did not complete; empty if it did, or may yet. */
export function runReason(run: Run): string {
  if (run.status === "running" || run.status === "completed") return "";
  const still = run.status === "interrupted" && run.childStillRunning ? "the helper is still at work" : "";
  return [run.error || run.reason?.replaceAll("-", " "), still].filter(Boolean).join("; ");
}
