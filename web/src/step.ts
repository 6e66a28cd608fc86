import { fieldsOf } from "./fields";
import type { MessagePart } from "./part";
import type { Tone } from "./tone";

/** Step is one step of a helper's program: some work that is tried again until it succeeds. */
export interface Step {
  name: string;
  state: "running" | "waiting" | "completed" | "failed";
  /** The number of the latest attempt, from 1, and how many there are at most. */
  attempt: number;
  attempts: number;
  /** What the latest attempt that failed said; empty if none has failed. */
  error: string;
  /** When the next attempt begins, in milliseconds since 1970 by the server's clock; 0 if none is planned. */
  retryAt: number;
}

const states: readonly string[] = ["running", "waiting", "completed", "failed"] satisfies Step["state"][];

/** stepOf reads the step that a part is about; undefined for any other part. */
export function stepOf(part: MessagePart): Step | undefined {
  if (part.type !== "data-step") return undefined;
  const { name, state, attempt, attempts, error, retryAt } = fieldsOf(part.data);
  if (typeof name !== "string" || typeof state !== "string" || !states.includes(state)) return undefined;
  return {
    name,
    state: state as Step["state"],
    attempt: Number(attempt) || 1,
    attempts: Number(attempts) || 1,
    error: typeof error === "string" ? error : "",
    retryAt: Number(retryAt) || 0,
  };
}

/** stepsOf lists the steps among the parts of a run, in the order in which they began. */
export function stepsOf(parts: readonly MessagePart[]): Step[] {
  return parts.flatMap((part) => stepOf(part) ?? []);
}

/** stepState names a step's state in a few words, with its tone. `live` says whether its run is active. */
export function stepState({ state, attempt, attempts }: Step, live: boolean): { word: string; tone: Tone } {
  const tries = attempts > 1 && attempt > 1 ? `attempt ${attempt} of ${attempts}` : "";
  switch (state) {
    case "completed":
      return { word: attempt > 1 ? `done at attempt ${attempt}` : "done", tone: "good" };
    case "failed":
      return { word: tries ? `failed, ${tries}` : "failed", tone: "danger" };
    case "waiting":
      return live ? { word: `waits for attempt ${attempt + 1} of ${attempts}`, tone: "wait" } : unfinished;
    default:
      return live ? { word: tries || "running", tone: "live" } : unfinished;
  }
}

const unfinished: { word: string; tone: Tone } = { word: "unfinished", tone: "calm" };

/** stepSummary says how far a run's steps have come: `2 steps done, charge: attempt 3 of 5`; empty if it has none. */
export function stepSummary(steps: readonly Step[]): string {
  const done = steps.filter(({ state }) => state === "completed").length;
  const current = steps.findLast(({ state }) => state !== "completed");
  const words = done > 0 ? [`${done} ${done === 1 ? "step" : "steps"} done`] : [];
  if (current) words.push(`${current.name}: ${stepState(current, true).word}`);
  return words.join(", ");
}
