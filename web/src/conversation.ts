import type { UIMessage } from "ai";
import type { Asked } from "./asked";
import type { Attachment } from "./attachment";
import type { Phase, Refusal } from "./phase";
import type { Run } from "./run";
import type { RunInfo } from "./runinfo";

/** Conversation is what the page knows of one, and what it can do in it. */
export interface Conversation {
  messages: UIMessage[];
  /** The runs that a tool call started, in their order. */
  runsOf: (toolCallId: string) => Run[];
  runsById: Record<string, Run>;
  /** The runs that no tool call waits for, without those that are gone. */
  unboundRuns: Run[];
  /** What the server tells of runs besides, by their ids. */
  infos: Record<string, RunInfo>;
  /** The ids of runs that the server has deleted. */
  gone: string[];
  phase: Phase;
  /** What the server gave as its reason when the connection was last closed; often nothing. */
  dropped: string | undefined;
  /** Why the server refused the connection, while phase is `refused`. */
  refusal: Refusal | undefined;
  /** What went wrong with the last turn, in the server's words. */
  problem: string | undefined;
  /** The question that was refused, while `problem` tells of that. */
  returned: Asked | undefined;
  /** A turn is under way, here or in another tab. */
  busy: boolean;
  /** A turn is under way and has shown nothing yet. */
  waiting: boolean;
  send: (text: string, attachments: Attachment[]) => void;
  /** Asks a question in other words; what was attached to it stays. */
  edit: (message: UIMessage, text: string) => void;
  /** Answers the last question again. */
  regenerate: () => void;
  /** Answers a tool call that waits for approval. */
  answer: (approvalId: string, approved: boolean) => void;
  /** Answers one that a helper waits for; the parent hands it on. */
  answerHelper: (toolCallId: string, approved: boolean) => void;
  /** Calls a method of the agent by its name. */
  call: (method: string, args: unknown[]) => Promise<unknown>;
  /** Deletes a run that is over. */
  remove: (run: Run) => void;
  stop: () => void;
  clear: () => void;
  dismiss: () => void;
  reconnect: () => void;
}
