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
  /** Opens a helper's own conversation. */
  open?: (run: Run) => void;
  /** Cancels one run; its siblings continue. */
  cancel?: (run: Run) => void;
  /** Answers a tool call that waits for approval. */
  answer?: (approvalId: string, approved: boolean) => void;
  /** The state to show for a call that is still open although nothing can answer it any more. */
  openCallState?: ToolState;
  /** Answers a helper's tool call that waits for approval, from the helper's panel. */
  answerHelper?: (toolCallId: string, approved: boolean) => void;
}

/** noHelpers is for parts that are shown outside their own conversation, where they offer no actions. */
export const noHelpers: Helpers = { runs: () => null, infos: {}, deleted: [] };

/** HelpersContext gives tool cards and helper panels their conversation. */
export const HelpersContext = createContext<Helpers>(noHelpers);
