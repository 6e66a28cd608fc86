import { useAgentChat } from "@cloudflare/ai-chat/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import { generateId, type UIMessage } from "ai";
import { useCallback, useState } from "react";
import { agentAt } from "../address";
import { type Asked, returnedOf } from "../asked";
import { type Attachment, attachmentsOf, partsOf } from "../attachment";
import type { Conversation } from "../conversation";
import { loadMessages } from "../load";
import { hasVisiblePart, type MessagePart } from "../message";
import { phaseOf, refusalOf } from "../phase";
import { posted } from "../posted";
import type { Run } from "../run";
import { isMissing } from "../runinfo";
import type { RunPath } from "../runpath";
import { useToken } from "./useAddress";
import { useCleared } from "./useCleared";
import { useOnline } from "./useOnline";
import { useReconnect } from "./useReconnect";
import { useRunInfos } from "./useRunInfos";

/**
 * useConversation joins the published hooks into what the page shows and does: for the agent of a name, or for
 * the helper that path leads to from there. It suspends.
 */
export function useConversation(name: string, path: RunPath = []): Conversation {
  const [dropped, setDropped] = useState<string>();
  const [clearing, setClearing] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const online = useOnline();
  const token = useToken();
  const agent = useAgent({
    ...agentAt(name, path, token),
    onClose: ({ reason }) => {
      // What the socket's library closes by itself, as when nobody answers, may carry an event there.
      setDropped(typeof reason === "string" ? reason : "");
      setClearing(false);
    },
  });
  useReconnect(agent);
  // Beside the socket from its beginning: what is replayed at connect is not sent again.
  const helpers = useAgentToolEvents<MessagePart>({ agent });
  useCleared(agent, helpers.resetLocalState);
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
  const call = useCallback((method: string, args: unknown[]): Promise<unknown> => agent.call(method, args), [agent]);

  const running = chat.status === "submitted" || chat.status === "streaming" || chat.isServerStreaming;
  const busy = (running || chat.isRecovering) && !connectionError;
  const last = messages.at(-1);
  const { identified } = agent;
  const refused = Boolean(connectionError);
  // A turn cut off by a lost connection is no failure yet: it is taken up again after the reconnect.
  const problem = chat.error && identified && !busy ? chat.error.message : undefined;
  const { infos, gone, forget } = useRunInfos(call, helpers.runsById, identified);

  return {
    messages,
    runsOf: helpers.getRunsForToolCall,
    runsById: helpers.runsById,
    unboundRuns: helpers.unboundRuns.filter(({ runId }) => !gone.includes(runId)),
    infos,
    gone,
    phase: phaseOf({ refused, identified, dropped: dropped !== undefined, online, recovering: chat.isRecovering }),
    dropped,
    refusal: refusalOf(connectionError),
    problem,
    returned: returnedOf(asked, messages, problem !== undefined),
    busy,
    waiting: busy && !(last?.role === "assistant" && hasVisiblePart(last)),
    send: useCallback(
      (text: string, attachments: Attachment[]) => {
        const id = generateId();
        setAsked({ id, text, attachments });
        void sendMessage({ id, role: "user", parts: partsOf(text, attachments) });
      },
      [sendMessage],
    ),
    edit: useCallback(
      ({ id, parts }: UIMessage, text: string) => {
        setAsked(undefined);
        void sendMessage({ role: "user", parts: partsOf(text, attachmentsOf(parts)), messageId: id });
      },
      [sendMessage],
    ),
    regenerate: () => {
      setAsked(undefined);
      void chat.regenerate();
    },
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
    remove: ({ runId }: Run) =>
      void call("deleteRun", [runId]).then(
        () => forget(runId),
        // Whatever else is wrong, it is still needed, as while its end waits to be told: it stays in view.
        (error: unknown) => isMissing(error) && forget(runId),
      ),
    stop: () => void chat.stop(),
    clear: () => {
      // The stopped turn's last words are still under way: until its end, what arrives is not shown.
      setClearing(running);
      setAsked(undefined);
      if (running) void chat.stop();
      chat.clearError();
      chat.clearHistory();
      helpers.resetLocalState();
    },
    dismiss: () => {
      setAsked(undefined);
      chat.clearError();
    },
    reconnect: () => agent.reconnect(),
  };
}
