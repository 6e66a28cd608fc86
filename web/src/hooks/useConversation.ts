import { getAgentMessages, useAgentChat } from "@cloudflare/ai-chat/react";
import { useAgent } from "agents/react";
import type { UIMessage } from "ai";
import { useCallback, useState } from "react";
import { hasVisiblePart } from "../message";

/** Phase is where the connection to the agent stands. `refused` is final until somebody asks again. */
export type Phase = "connecting" | "connected" | "reconnecting" | "recovering" | "refused";

export interface Conversation {
  messages: UIMessage[];
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

/** useConversation joins the published agent and chat hooks into what the page shows and does. It suspends. */
export function useConversation(name: string): Conversation {
  const [dropped, setDropped] = useState(false);
  const [clearing, setClearing] = useState(false);
  const agent = useAgent({
    agent: "Assistant",
    name,
    // The default takes every host that is not local for a secure one.
    protocol: location.protocol === "https:" ? "wss" : "ws",
    onClose: () => {
      setDropped(true);
      setClearing(false);
    },
  });
  const chat = useAgentChat({
    agent,
    getInitialMessages: loadMessages,
    syncMessagesToServer: false,
    onTurnEnd: () => {
      if (clearing) setMessages([]);
      setClearing(false);
    },
  });
  const { sendMessage, setMessages, connectionError } = chat;
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
    phase: phase(),
    refusal: connectionError ? connectionError.reason || `code ${connectionError.code}` : undefined,
    // A turn cut off by a lost connection is no failure yet: it is taken up again after the reconnect.
    problem: chat.error && agent.identified && !busy ? chat.error.message : undefined,
    busy,
    waiting: busy && !(last?.role === "assistant" && hasVisiblePart(last)),
    send: useCallback((text: string) => void sendMessage({ text }), [sendMessage]),
    edit: useCallback((messageId: string, text: string) => void sendMessage({ text, messageId }), [sendMessage]),
    regenerate: () => void chat.regenerate(),
    stop: () => void chat.stop(),
    clear: () => {
      // The stopped turn's last words are still under way: until its end, what arrives is not shown.
      setClearing(running);
      if (running) void chat.stop();
      chat.clearError();
      chat.clearHistory();
    },
    dismiss: chat.clearError,
    reconnect: () => agent.reconnect(),
  };
}
