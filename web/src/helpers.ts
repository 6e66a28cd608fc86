import { createContext, type ReactNode } from "react";
import type { Run } from "./run";
import type { RunInfo } from "./runinfo";
import type { ToolState } from "./tool";

/** Helpers is what tool cards and helper panels need of their conversation. */
export interface Helpers {
  /** Draws the helpers that a tool call started; nothing where it started none. */
  runs: (toolCallId: string) => ReactNode;
  /** Times and usage of runs, by run id. */
  infos: Record<string, RunInfo>;
  /** The ids of runs that the server has deleted. No action is offered for them. */
  deleted: string[];
  /** The ids of the calls whose code waits for a person. A question may stand in a later message than its call. */
  asking: ReadonlySet<string>;
  /** Opens a helper's own conversation. */
  open?: (run: Run) => void;
  /** Cancels one run; its siblings continue. */
  cancel?: (run: Run) => void;
  /** Pauses one run, or has it go on. */
  pause?: ((run: Run, paused: boolean) => void) | undefined;
  /** Runs the work of a run again that has ended; from a step on, what came before it is not done again. */
  restart?: ((run: Run, from?: string) => void) | undefined;
  /** Answers what waits for a person in the conversation itself. */
  answer?: Answers;
  /** The state to show for a call that is still open although nothing can answer it any more. */
  openCallState?: ToolState;
  /** Answers what waits for a person in a helper, from the helper's panel. */
  answerHelper?: Answers;
}

/** Answers takes what a person answers. */
export interface Answers {
  /** Approves a call or denies it, or answers a question by yes or no. A refusal can have a reason. */
  decide: (id: string, approved: boolean, reason?: string) => void;
  /** Answers a question that is a form. */
  enter: (id: string, answer: unknown) => void;
}

/** noHelpers is for parts that are shown outside their own conversation, where they offer no actions. */
export const noHelpers: Helpers = { runs: () => null, infos: {}, deleted: [], asking: new Set() };

/** HelpersContext gives tool cards and helper panels their conversation. */
export const HelpersContext = createContext<Helpers>(noHelpers);
