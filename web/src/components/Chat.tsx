import { useMemo, useRef } from "react";
import { offers, type Root } from "../about";
import { mcpAddress, openRun } from "../address";
import { askingCalls, requestsOf } from "../approval";
import type { Attachment } from "../attachment";
import { CallProgressContext } from "../callprogress";
import type { Conversation } from "../conversation";
import { forgetConversation, noteConversation } from "../conversations";
import type { Deletion } from "../deletion";
import { HelpersContext } from "../helpers";
import { useRunPath } from "../hooks/useAddress";
import { useConversation } from "../hooks/useConversation";
import { useListed } from "../hooks/useConversations";
import { useStickToBottom } from "../hooks/useStickToBottom";
import { useTitle } from "../hooks/useTitle";
import { hasVisiblePart, titleOf } from "../message";
import type { Run } from "../run";
import { formatRun } from "../runpath";
import { ActionList } from "./ActionList";
import { ApprovalRequests } from "./ApprovalRequests";
import { Composer, type ComposerLabels } from "./Composer";
import { ConnectionNote } from "./ConnectionNote";
import { Header } from "./Header";
import { HelperDialog } from "./HelperDialog";
import { HelperGrid } from "./HelperGrid";
import { JumpToLatest } from "./JumpToLatest";
import { Unanswered } from "./Problem";
import { Refused } from "./Refused";
import { ServerPanel } from "./ServerPanel";
import { Transcript } from "./Transcript";
import { Tray } from "./Tray";
import { Welcome } from "./Welcome";

const labels: ComposerLabels = { message: "Message", attach: "Attach", send: "Send", stop: "Stop" };

interface ChatProps {
  root: Root;
  name: string;
}

/** Chat shows one conversation with an agent: its transcript above, the composer below. */
export function Chat({ root, name }: ChatProps) {
  const chat = useConversation(root.agent, name);
  const path = useRunPath();
  const { content, away, follow } = useStickToBottom();
  const composer = useRef<HTMLTextAreaElement>(null);
  const { runsOf, infos, deleted, answer, answerHelper, call, pause, restart } = chat;
  const asking = useMemo(() => askingCalls(chat.messages), [chat.messages]);
  const helpers = useMemo(
    () => ({
      runs: (toolCallId: string) => <HelperGrid runs={runsOf(toolCallId)} />,
      infos,
      deleted,
      asking,
      answer,
      answerHelper,
      pause: offers(root, "pauseRun", "resumeRun") ? pause : undefined,
      restart: offers(root, "restartRun") ? restart : undefined,
      open: (run: Run) => openRun([run.subAgent]),
      // The run itself shows whether it was cancelled. A run that has already ended does not change.
      cancel: (run: Run) => void call("cancelRun", [run.runId]).catch(() => undefined),
    }),
    [runsOf, infos, deleted, asking, answer, answerHelper, call, pause, restart, root],
  );
  const title = titleOf(chat.messages);
  const place = { name, agent: root.key || undefined };
  useListed(place, title);
  useTitle(title);
  const refused = chat.phase === "refused";
  const empty = chat.messages.length === 0 && !chat.busy;

  const send = (text: string, attachments: Attachment[] = []) => {
    chat.send(text, attachments);
    noteConversation(place, title || text || "Attachments");
    follow();
    composer.current?.focus({ preventScroll: true });
  };
  const clear = () => {
    chat.clear();
    forgetConversation(place);
    composer.current?.focus({ preventScroll: true });
  };

  return (
    <HelpersContext value={helpers}>
      <CallProgressContext value={chat.progress}>
        <div ref={empty ? undefined : content} className="flex min-h-dvh flex-col">
          <div className="bank sticky top-0 z-20">
            <Header name={name} title={title} phase={chat.phase} deletion={deletionOf(chat)} onClear={clear}>
              {offers(root, "actions") && !empty && <ActionList call={call} undoes={offers(root, "undoCall")} />}
              {(offers(root, "mcpServers") || root.exposed) && (
                <ServerPanel
                  servers={chat.servers}
                  call={call}
                  editable={offers(root, "addMcpServer", "removeMcpServer")}
                  address={root.exposed ? mcpAddress({ agent: root.agent, name }) : ""}
                />
              )}
            </Header>
            <ApprovalRequests requests={requestsOf(chat.messages, chat.runsById)} />
          </div>
          <main className="mx-auto flex w-full max-w-184 grow flex-col px-4 sm:px-6">
            {empty && <Welcome root={root} disabled={refused} onPick={send} />}
            <Transcript
              label="Conversation"
              messages={chat.messages}
              busy={chat.busy}
              waiting={chat.waiting}
              problem={chat.problem}
              onEdit={chat.edit}
              onRegenerate={chat.regenerate}
            />
          </main>
          <footer className="shore sticky bottom-0 z-10 mx-auto w-full max-w-184 px-4 pb-3 sm:px-6 sm:pb-5">
            {away && <JumpToLatest onClick={follow} />}
            {chat.refusal && <Refused refusal={chat.refusal} onRetry={chat.reconnect} />}
            <ConnectionNote phase={chat.phase} reason={chat.closeReason} onRetry={chat.reconnect} />
            <Unanswered
              problem={chat.problem}
              rejected={chat.rejected !== undefined}
              onRetry={chat.messages.length > 0 ? chat.regenerate : undefined}
              onDismiss={chat.dismiss}
            />
            <Tray runs={chat.unboundRuns} onRemove={chat.remove} />
            <Composer
              ref={composer}
              labels={labels}
              busy={chat.busy}
              refused={refused}
              rejected={chat.rejected}
              onSend={send}
              onStop={chat.stop}
            />
          </footer>
          {path.length > 0 && (
            <HelperDialog
              key={formatRun(path)}
              agent={root.agent}
              name={name}
              path={path}
              run={chat.runsById[path.at(-1)?.name ?? ""]}
            />
          )}
        </div>
      </CallProgressContext>
    </HelpersContext>
  );
}

/** deletionOf counts what clearing a conversation deletes; undefined where there are no messages. */
function deletionOf({ messages, runsById, unboundRuns, deleted, busy }: Conversation): Deletion | undefined {
  if (messages.length === 0) return undefined;
  const runs = Object.values(runsById).filter(({ runId }) => !deleted.includes(runId));
  return {
    messages: messages.filter(hasVisiblePart).length,
    helpers: runs.length - unboundRuns.length,
    background: unboundRuns.length,
    atWork: busy || runs.some(({ status }) => status === "running"),
  };
}
