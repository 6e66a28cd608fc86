import { createContext } from "react";
import type { Run } from "./run";
import type { RunInfo } from "./runinfo";
import type { ToolState } from "./tool";

/** Helpers is what a tool card needs of the conversation that it stands in. */
export interface Helpers {
  /** The runs that a tool call started, in their order. */
  runsOf: (toolCallId: string) => Run[];
  /** What the server tells of runs besides, by their ids. */
  infos: Record<string, RunInfo>;
  /** The ids of runs that the server has deleted: nothing can be done with them any more. */
  gone: string[];
  /** Opens a helper's own conversation. */
  open?: (run: Run) => void;
  /** Stops one run, and leaves its siblings at work. */
  cancel?: (run: Run) => void;
  /** Answers a tool call that waits for approval. */
  answer?: (approvalId: string, approved: boolean) => void;
  /** How a call was left that is still open, where it cannot be answered any more. */
  left?: ToolState;
  /** Answers one of a helper's, from its panel. */
  answerHelper?: (toolCallId: string, approved: boolean) => void;
}

/** nobody is for parts that are shown outside of their own conversation: what they may do is done there. */
export const nobody: Helpers = { runsOf: () => [], infos: {}, gone: [] };

export const HelpersContext = createContext<Helpers>(nobody);
