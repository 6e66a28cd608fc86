import { getToolName, type UIMessage } from "ai";
import { preview } from "./preview";
import { type Run, runTitle } from "./run";
import { type Asking, isAsking } from "./tool";

/** Question is a tool call that waits until a person has said whether it may be made. */
export interface Question {
  /** What the answer is given to. */
  id: string;
  /** Who asks: a helper by its title, or "" for the agent itself. */
  asker: string;
  run: Run | undefined;
  tool: string;
  /** What the tool would be given, in a few words. */
  input: string;
}

function question(part: Asking, run?: Run): Question {
  const asker = run ? runTitle(run) : "";
  return { id: part.approval.id, asker, run, tool: getToolName(part), input: preview(part.input) };
}

/** questionsOf are all that wait for a person, the agent's own before those of its helpers. */
export function questionsOf(messages: UIMessage[], runs: Record<string, Run>): Question[] {
  const own = messages.flatMap(({ parts }) => parts.filter(isAsking).map((part) => question(part)));
  const theirs = Object.values(runs).filter(({ status }) => status === "running");
  return [...own, ...theirs.flatMap((run) => run.parts.filter(isAsking).map((part) => question(part, run)))];
}
