import type { AgentToolRunState } from "agents/agent-tools";
import { isPendingApproval, type MessagePart } from "./part";
import { preview } from "./preview";
import { questionOf } from "./question";
import type { RunInfo } from "./runinfo";
import type { Tone } from "./tone";

/** Run is one run of a helper, as the page of its parent knows it. */
export type Run = AgentToolRunState<MessagePart>;

/** runTitle is a helper's display name, or its class where it has none. */
export function runTitle(run: Run): string {
  return run.display?.name || run.agentType;
}

/** runLabel tells a helper from its siblings: its title and its input. */
export function runLabel(run: Run): string {
  const input = preview(run.inputPreview);
  return `Helper ${runTitle(run)}${input && `: ${input}`}`;
}

const states: Record<Run["status"], { word: string; tone: Tone }> = {
  running: { word: "running", tone: "live" },
  completed: { word: "completed", tone: "calm" },
  error: { word: "failed", tone: "danger" },
  aborted: { word: "aborted", tone: "caution" },
  interrupted: { word: "interrupted", tone: "caution" },
};

/** runState names a run's status in a few words, with its tone. */
export function runState(run: Run, info?: RunInfo): { word: string; tone: Tone } {
  if (run.status !== "running") return states[run.status];
  if (info?.paused) return { word: "paused", tone: "caution" };
  if (run.parts.some((part) => questionOf(part))) return { word: "waiting for an answer", tone: "caution" };
  if (run.parts.some(isPendingApproval)) return { word: "waiting for approval", tone: "caution" };
  return states.running;
}

/** runReason says why a run did not complete; empty if it completed or is still running. */
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

/** runAdvice says what a person can do about a run that did not complete; empty if it completed or is still running. */
export function runAdvice(run: Run): string {
  if (run.status === "running" || run.status === "completed") return "";
  const known = run.reason && advice[run.reason];
  if (known) return known;
  if (run.childStillRunning) return "Open it to see how it goes on.";
  if (run.status === "aborted") return "What it had said is kept. Open it to go on from there.";
  return "Open it to ask what happened, or have the answer given anew.";
}
