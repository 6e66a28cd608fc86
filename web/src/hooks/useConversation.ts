import { useAgentChat } from "@cloudflare/ai-chat/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import type { UIMessage } from "ai";
import { useCallback, useState } from "react";
import { tokenQuery } from "../address";
import { type Attachment, attachmentsOf } from "../attachment";
import { loadMessages } from "../load";
import { hasVisiblePart, type MessagePart, tailOf } from "../message";
import { type Phase, phaseOf } from "../phase";
import type { Run } from "../run";
import type { RunInfo } from "../runinfo";
import type { RunPath } from "../runpath";
import { useOnline } from "./useOnline";
import { useReconnect } from "./useReconnect";
import { useRunInfos } from "./useRunInfos";

export interface Conversation {
  messages: UIMessage[];
  /** The runs that a tool call started, in their order. */
  runsOf: (toolCallId: string) => Run[];
  runsById: Record<string, Run>;
  /** The runs that no tool call waits for. */
  unboundRuns: Run[];
  /** What the server tells of runs besides, by their ids. */
  infos: Record<string, RunInfo>;
  phase: Phase;
  /** What the server gave as its reason when the connection was last closed; often nothing. */
  dropped: string | undefined;
  /** Why the server refused the connection, while phase is `refused`. */
  refusal: string | undefined;
  /** What went wrong with the last turn, in the server's words. */
  problem: string | undefined;
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
  stop: () => void;
  clear: () => void;
  dismiss: () => void;
  reconnect: () => void;
}

/**
 * useConversation joins the published hooks into what the page shows and does: for the agent of a name, or for
 * the helper that path leads to from there. It suspends.
 */
export function useConversation(name: string, path: RunPath = []): Conversation {
  const [dropped, setDropped] = useState<string>();
  const [clearing, setClearing] = useState(false);
  const online = useOnline();
  const agent = useAgent({
    agent: "Assistant",
    name,
    sub: [...path],
    query: tokenQuery,
    // The default takes every host that is not local for a secure one.
    protocol: location.protocol === "https:" ? "wss" : "ws",
    onClose: ({ reason }) => {
      setDropped(reason);
      setClearing(false);
    },
  });
  useReconnect(agent);
  // Beside the socket from its beginning: what is replayed at connect is not sent again.
  const helpers = useAgentToolEvents<MessagePart>({ agent });
  const chat = useAgentChat({
    agent,
    getInitialMessages: loadMessages,
    syncMessagesToServer: false,
    prepareSendMessagesRequest: ({ messages }) => ({ body: { messages: tailOf(messages) } }),
    onTurnEnd: () => {
      if (clearing) setMessages([]);
      setClearing(false);
    },
  });
  const { sendMessage, setMessages, addToolApprovalResponse, connectionError } = chat;
  const messages = clearing ? [] : chat.messages;
  const call = useCallback((method: string, args: unknown[]): Promise<unknown> => agent.call(method, args), [agent]);

  const running = chat.status === "submitted" || chat.status === "streaming" || chat.isServerStreaming;
  const busy = (running || chat.isRecovering) && !connectionError;
  const last = messages.at(-1);
  const { identified } = agent;
  const refused = Boolean(connectionError);

  return {
    messages,
    runsOf: helpers.getRunsForToolCall,
    runsById: helpers.runsById,
    unboundRuns: helpers.unboundRuns,
    infos: useRunInfos(call, helpers.runsById, identified),
    phase: phaseOf({ refused, identified, dropped: dropped !== undefined, online, recovering: chat.isRecovering }),
    dropped,
    refusal: connectionError ? connectionError.reason || `code ${connectionError.code}` : undefined,
    // A turn cut off by a lost connection is no failure yet: it is taken up again after the reconnect.
    problem: chat.error && identified && !busy ? chat.error.message : undefined,
    busy,
    waiting: busy && !(last?.role === "assistant" && hasVisiblePart(last)),
    send: useCallback(
      (text: string, attachments: Attachment[]) =>
        void sendMessage({ role: "user", parts: partsOf(text, attachments) }),
      [sendMessage],
    ),
    edit: useCallback(
      ({ id, parts }: UIMessage, text: string) =>
        void sendMessage({ role: "user", parts: partsOf(text, attachmentsOf(parts)), messageId: id }),
      [sendMessage],
    ),
    regenerate: () => void chat.regenerate(),
    answer: useCallback(
      (id: string, approved: boolean) => void addToolApprovalResponse({ id, approved }),
      [addToolApprovalResponse],
    ),
    answerHelper: useCallback(
      (toolCallId: string, approved: boolean) =>
        agent.send(JSON.stringify({ type: "cf_agent_tool_approval", toolCallId, approved, autoContinue: true })),
      [agent],
    ),
    call,
    stop: () => void chat.stop(),
    clear: () => {
      // The stopped turn's last words are still under way: until its end, what arrives is not shown.
      setClearing(running);
      if (running) void chat.stop();
      chat.clearError();
      chat.clearHistory();
      helpers.resetLocalState();
    },
    dismiss: chat.clearError,
    reconnect: () => agent.reconnect(),
  };
}

function partsOf(text: string, attachments: Attachment[]): UIMessage["parts"] {
  return text === "" ? attachments : [{ type: "text", text }, ...attachments];
}
