import { getAgentMessages, useAgentChat } from "@cloudflare/ai-chat/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import type { UIMessage } from "ai";
import { useCallback, useState } from "react";
import { tokenQuery } from "../address";
import { hasVisiblePart, type MessagePart } from "../message";
import { posted } from "../posted";
import type { Run } from "../run";
import type { RunPath } from "../runpath";

/** Phase is where the connection to the agent stands. `refused` is final until somebody asks again. */
export type Phase = "connecting" | "connected" | "reconnecting" | "recovering" | "refused";

export interface Conversation {
  messages: UIMessage[];
  /** The runs that a tool call started, in their order. */
  runsOf: (toolCallId: string) => Run[];
  runsById: Record<string, Run>;
  /** The runs that no tool call waits for. */
  unboundRuns: Run[];
  phase: Phase;
  /** Why the server refused the connection, while phase is `refused`. */
  refusal: string | undefined;
  /** What went wrong with the last turn, in the server's words. */
  problem: string | undefined;
  /** A turn is under way, here or in another tab. */
  busy: boolean;
  /** A turn is under way and has shown nothing yet. */
  waiting: boolean;
  send: (text: string) => void;
  edit: (messageId: string, text: string) => void;
  /** Answers the last question again. */
  regenerate: () => void;
  /** Answers a tool call that waits for approval. */
  answer: (approvalId: string, approved: boolean) => void;
  /** Answers one that a helper waits for; the parent hands it on. */
  answerHelper: (toolCallId: string, approved: boolean) => void;
  stop: () => void;
  clear: () => void;
  dismiss: () => void;
  reconnect: () => void;
}

/**
 * Messages as the server has them. A failure gives an empty list instead of an error, because the
 * transcript that follows every (re)connection fills it in.
 */
function loadMessages({ url }: { url?: string }): Promise<UIMessage[]> {
  if (!url) return Promise.resolve([]);
  const endpoint = new URL(url);
  endpoint.pathname += "/get-messages";
  return getAgentMessages({ url: endpoint.href });
}

/**
 * useConversation joins the published hooks into what the page shows and does: for the agent of a name, or for
 * the helper that path leads to from there. It suspends.
 */
export function useConversation(name: string, path: RunPath = []): Conversation {
  const [dropped, setDropped] = useState(false);
  const [clearing, setClearing] = useState(false);
  const agent = useAgent({
    agent: "Assistant",
    name,
    sub: [...path],
    query: tokenQuery,
    // The default takes every host that is not local for a secure one.
    protocol: location.protocol === "https:" ? "wss" : "ws",
    onClose: () => {
      setDropped(true);
      setClearing(false);
    },
  });
  // Beside the socket from its beginning: what is replayed at connect is not sent again.
  const helpers = useAgentToolEvents<MessagePart>({ agent });
  const chat = useAgentChat({
    agent,
    getInitialMessages: loadMessages,
    syncMessagesToServer: false,
    prepareSendMessagesRequest: ({ messages }) => ({ body: { messages: posted(messages) } }),
    onTurnEnd: () => {
      if (clearing) setMessages([]);
      setClearing(false);
    },
  });
  const { sendMessage, setMessages, addToolApprovalResponse, connectionError } = chat;
  const messages = clearing ? [] : chat.messages;

  const running = chat.status === "submitted" || chat.status === "streaming" || chat.isServerStreaming;
  const busy = (running || chat.isRecovering) && !connectionError;
  const last = messages.at(-1);

  const phase = (): Phase => {
    if (connectionError) return "refused";
    if (!agent.identified) return dropped ? "reconnecting" : "connecting";
    return chat.isRecovering ? "recovering" : "connected";
  };

  return {
    messages,
    runsOf: helpers.getRunsForToolCall,
    runsById: helpers.runsById,
    unboundRuns: helpers.unboundRuns,
    phase: phase(),
    refusal: connectionError ? connectionError.reason || `code ${connectionError.code}` : undefined,
    // A turn cut off by a lost connection is no failure yet: it is taken up again after the reconnect.
    problem: chat.error && agent.identified && !busy ? chat.error.message : undefined,
    busy,
    waiting: busy && !(last?.role === "assistant" && hasVisiblePart(last)),
    send: useCallback((text: string) => void sendMessage({ text }), [sendMessage]),
    edit: useCallback((messageId: string, text: string) => void sendMessage({ text, messageId }), [sendMessage]),
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
