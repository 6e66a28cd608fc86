import { useAgentChat } from "@cloudflare/ai-chat/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import { generateId, type UIMessage } from "ai";
import { useCallback, useMemo, useState } from "react";
import { agentAt } from "../address";
import { type Attachment, attachmentsOf, partsOf } from "../attachment";
import type { Conversation } from "../conversation";
import type { Answers } from "../helpers";
import { loadMessages } from "../load";
import { hasVisiblePart } from "../message";
import type { MessagePart } from "../part";
import { phaseOf, refusalOf } from "../phase";
import { posted } from "../posted";
import { askTool } from "../question";
import type { Run } from "../run";
import { isMissing } from "../runinfo";
import type { RunPath } from "../runpath";
import { rejectedOf, type SentMessage } from "../sent";
import { useToken } from "./useAddress";
import { useCallProgress } from "./useCallProgress";
import { useCleared } from "./useCleared";
import { useOnline } from "./useOnline";
import { useReconnect } from "./useReconnect";
import { useRunInfos } from "./useRunInfos";
import { useServers } from "./useServers";

/**
 * useConversation combines the published hooks into one conversation with the agent of a path segment, or with the helper
 * at the end of path below it. It suspends until the messages are loaded.
 */
export function useConversation(segment: string, name: string, path: RunPath = []): Conversation {
  const [closeReason, setCloseReason] = useState<string>();
  const [clearing, setClearing] = useState(false);
  const [sent, setSent] = useState<SentMessage>();
  const online = useOnline();
  const token = useToken();
  const { servers, hear } = useServers();
  const { progress, hearPart } = useCallProgress();
  const agent = useAgent({
    ...agentAt(segment, name, path, token),
    onClose: ({ reason }) => {
      // A close by the socket library itself, for example after a timeout, may carry an event in `reason`.
      setCloseReason(typeof reason === "string" ? reason : "");
      setClearing(false);
    },
    onMcpUpdate: hear,
  });
  useReconnect(agent);
  // It listens from the socket's beginning, because events that are replayed at connect are not sent again.
  const helpers = useAgentToolEvents<MessagePart>({ agent });
  useCleared(agent, helpers.resetLocalState);
  const chat = useAgentChat({
    agent,
    getInitialMessages: loadMessages,
    syncMessagesToServer: false,
    prepareSendMessagesRequest: ({ messages }) => ({ body: { messages: posted(messages) } }),
    onData: hearPart,
    onTurnEnd: () => {
      if (clearing) setMessages([]);
      setClearing(false);
    },
  });
  const { sendMessage, setMessages, addToolApprovalResponse, addToolOutput, connectionError } = chat;
  const messages = clearing ? [] : chat.messages;
  const call = useCallback((method: string, args: unknown[]): Promise<unknown> => agent.call(method, args), [agent]);

  const running = chat.status === "submitted" || chat.status === "streaming" || chat.isServerStreaming;
  const busy = (running || chat.isRecovering) && !connectionError;
  const last = messages.at(-1);
  const { identified } = agent;
  const refused = Boolean(connectionError);
  // A turn that a lost connection interrupted has not failed: it resumes after the reconnect.
  const problem = chat.error && identified && !busy ? chat.error.message : undefined;
  // The published client sends no reason with a refusal, so that is the agent's method `deny`.
  const deny = useCallback(
    (id: string, reason: string) => void call("deny", [id, reason]).catch(() => undefined),
    [call],
  );
  const answer = useMemo<Answers>(
    () => ({
      decide: (id, approved, reason) => (reason ? deny(id, reason) : void addToolApprovalResponse({ id, approved })),
      enter: (toolCallId, output) => void addToolOutput({ toolName: askTool, toolCallId, output }),
    }),
    [addToolApprovalResponse, addToolOutput, deny],
  );
  const answerHelper = useMemo<Answers>(() => {
    const send = (type: string, fields: object) => agent.send(JSON.stringify({ type, ...fields, autoContinue: true }));
    return {
      decide: (toolCallId, approved, reason) =>
        reason ? deny(toolCallId, reason) : send("cf_agent_tool_approval", { toolCallId, approved }),
      enter: (toolCallId, output) => send("cf_agent_tool_result", { toolCallId, toolName: askTool, output }),
    };
  }, [agent, deny]);
  const { infos, deleted, forget, ask } = useRunInfos(call, helpers.runsById, identified);

  return {
    messages,
    runsOf: helpers.getRunsForToolCall,
    runsById: helpers.runsById,
    unboundRuns: helpers.unboundRuns.filter(({ runId }) => !deleted.includes(runId)),
    infos,
    deleted,
    phase: phaseOf({
      refused,
      identified,
      dropped: closeReason !== undefined,
      online,
      recovering: chat.isRecovering,
    }),
    closeReason,
    refusal: refusalOf(connectionError),
    problem,
    rejected: rejectedOf(sent, messages, problem !== undefined),
    busy,
    waiting: busy && !(last?.role === "assistant" && hasVisiblePart(last)),
    send: useCallback(
      (text: string, attachments: Attachment[]) => {
        const id = generateId();
        setSent({ id, text, attachments });
        void sendMessage({ id, role: "user", parts: partsOf(text, attachments) });
      },
      [sendMessage],
    ),
    edit: useCallback(
      ({ id, parts }: UIMessage, text: string) => {
        setSent(undefined);
        void sendMessage({ role: "user", parts: partsOf(text, attachmentsOf(parts)), messageId: id });
      },
      [sendMessage],
    ),
    regenerate: () => {
      setSent(undefined);
      void chat.regenerate();
    },
    answer,
    answerHelper,
    servers,
    progress,
    call,
    // What has come of it is in the answer to `runs`.
    pause: useCallback(
      ({ runId }: Run, paused: boolean) => void call(paused ? "pauseRun" : "resumeRun", [runId]).then(ask, ask),
      [call, ask],
    ),
    restart: useCallback(
      ({ runId }: Run, from?: string) => void call("restartRun", from ? [runId, { from }] : [runId]).then(ask, ask),
      [call, ask],
    ),
    remove: ({ runId }: Run) =>
      void call("deleteRun", [runId]).then(
        () => forget(runId),
        // After any other error the run is still needed, for example while its end waits for delivery. It stays in view.
        (error: unknown) => isMissing(error) && forget(runId),
      ),
    stop: () => void chat.stop(),
    clear: () => {
      // The last chunks of the stopped turn may still arrive. Nothing is shown until the turn has ended.
      setClearing(running);
      setSent(undefined);
      if (running) void chat.stop();
      chat.clearError();
      chat.clearHistory();
      helpers.resetLocalState();
    },
    dismiss: () => {
      setSent(undefined);
      chat.clearError();
    },
    reconnect: () => agent.reconnect(),
  };
}
