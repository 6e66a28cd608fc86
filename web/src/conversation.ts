import type { UIMessage } from "ai";
import type { Attachment } from "./attachment";
import type { CallProgress } from "./callprogress";
import type { Answers } from "./helpers";
import type { Phase, Refusal } from "./phase";
import type { Run } from "./run";
import type { RunInfo } from "./runinfo";
import type { SentMessage } from "./sent";
import type { Server } from "./servers";

/** Conversation is the state of one conversation, and the actions that the page offers in it. */
export interface Conversation {
  messages: UIMessage[];
  /** Lists the runs that a tool call started, in order. */
  runsOf: (toolCallId: string) => Run[];
  runsById: Record<string, Run>;
  /** The runs that no tool call waits for, without deleted ones. */
  unboundRuns: Run[];
  /** Times and usage of runs, by run id. */
  infos: Record<string, RunInfo>;
  /** The ids of runs that the server has deleted. */
  deleted: string[];
  phase: Phase;
  /**
   * The reason that the server gave when the connection was last closed; often empty. Undefined before the first close.
   */
  closeReason: string | undefined;
  /** Why the server refused the connection, while phase is `refused`. */
  refusal: Refusal | undefined;
  /** The server's error message of the last turn, if it failed. */
  problem: string | undefined;
  /** The message that the server rejected, while `problem` shows why. */
  rejected: SentMessage | undefined;
  /** A turn is active, started here or in another tab. */
  busy: boolean;
  /** A turn is active and has shown nothing yet. */
  waiting: boolean;
  send: (text: string, attachments: Attachment[]) => void;
  /** Sends a message again with another text; its attachments stay. */
  edit: (message: UIMessage, text: string) => void;
  /** Has the last message answered again. */
  regenerate: () => void;
  /** Answers what waits for a person in the conversation itself. */
  answer: Answers;
  /** Answers what waits for a person in a helper; the parent forwards the answer. */
  answerHelper: Answers;
  /** The servers whose tools the agent uses. */
  servers: Server[];
  /** How far calls of servers are, by the ids of the calls. */
  progress: Record<string, CallProgress>;
  /** Calls a method of the agent by its name. */
  call: (method: string, args: unknown[]) => Promise<unknown>;
  /** Pauses a run, or has it go on. */
  pause: (run: Run, paused: boolean) => void;
  /** Runs the work of a run again that has ended, from a step on or from its beginning. */
  restart: (run: Run, from?: string) => void;
  /** Deletes a run that has ended. */
  remove: (run: Run) => void;
  stop: () => void;
  clear: () => void;
  dismiss: () => void;
  reconnect: () => void;
}
