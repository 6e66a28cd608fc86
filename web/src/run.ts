import type { AgentToolRunState } from "agents/agent-tools";
import type { MessagePart } from "./message";
import { preview } from "./preview";
import type { Tone } from "./tone";
import { isAsking } from "./tool";

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
  if (run.status === "running" && run.parts.some(isAsking)) return { word: "waiting for approval", tone: "caution" };
  return states[run.status];
}

/** runReason is why a run did not complete; empty if it did, or may yet. */
export function runReason(run: Run): string {
  if (run.status === "running" || run.status === "completed") return "";
  const still = run.status === "interrupted" && run.childStillRunning ? "the helper is still at work" : "";
  return [run.error || run.reason?.replaceAll("-", " "), still].filter(Boolean).join("; ");
}

const advice: Partial<Record<NonNullable<Run["reason"]>, string>> = {
  "no-progress": "It said nothing for too long. It can be asked again.",
  "window-exceeded": "It took longer than it was given. It can be asked again, for less at once.",
  "budget-exceeded": "It used up what it was given. Ask for less at once.",
  "recovery-deadline": "It could not be brought back in time. It can be asked again.",
};

/** runAdvice is what a person can do about a run that did not complete; empty if it did, or may yet. */
export function runAdvice(run: Run): string {
  if (run.status === "running" || run.status === "completed") return "";
  const known = run.reason && advice[run.reason];
  if (known) return known;
  if (run.childStillRunning) return "Open it to see how it goes on.";
  if (run.status === "aborted") return "What it had said is kept. Open it to go on from there.";
  return "Open it to ask what happened, or have the answer given anew.";
}
