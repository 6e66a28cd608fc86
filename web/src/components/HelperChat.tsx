import { useMemo, useRef } from "react";
import { openRun } from "../address";
import { askingCalls } from "../approval";
import type { Attachment } from "../attachment";
import { CallProgressContext } from "../callprogress";
import { HelpersContext } from "../helpers";
import { useConversation } from "../hooks/useConversation";
import { useStickToBottom } from "../hooks/useStickToBottom";
import type { Run } from "../run";
import type { RunPath } from "../runpath";
import { Composer, type ComposerLabels } from "./Composer";
import { ConnectionNote } from "./ConnectionNote";
import { ConnectionStatus } from "./ConnectionStatus";
import { HelperGrid } from "./HelperGrid";
import { JumpToLatest } from "./JumpToLatest";
import { Problem, Unanswered } from "./Problem";
import { Refused } from "./Refused";
import { Transcript } from "./Transcript";

const labels: ComposerLabels = {
  message: "Message to helper",
  attach: "Attach for helper",
  send: "Send to helper",
  stop: "Stop helper",
};

interface HelperChatProps {
  agent: string;
  name: string;
  path: RunPath;
}

/** HelperChat shows the conversation with a helper, live, with a composer below. */
export function HelperChat({ agent, name, path }: HelperChatProps) {
  const chat = useConversation(agent, name, path);
  const box = useRef<HTMLDivElement>(null);
  const { content, away, follow } = useStickToBottom(box);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { runsOf, infos, deleted, answer, answerHelper } = chat;
  const asking = useMemo(() => askingCalls(chat.messages), [chat.messages]);
  const helpers = useMemo(
    () => ({
      runs: (toolCallId: string) => <HelperGrid runs={runsOf(toolCallId)} />,
      infos,
      deleted,
      asking,
      answer,
      answerHelper,
      open: (run: Run) => openRun([...path, run.subAgent]),
    }),
    [runsOf, infos, deleted, asking, answer, answerHelper, path],
  );

  const send = (text: string, attachments: Attachment[]) => {
    chat.send(text, attachments);
    follow();
    composer.current?.focus({ preventScroll: true });
  };

  // After an expired token the composer stays, so that the draft is not lost.
  if (chat.refusal && !chat.refusal.renewable) {
    return (
      <div className="p-4 sm:p-6">
        <Problem title="This helper cannot be opened" text={chat.refusal.text} onRetry={undefined} />
      </div>
    );
  }
  return (
    <>
      <div ref={box} className="min-h-0 grow overflow-y-auto overscroll-contain px-4 sm:px-6">
        <div ref={content}>
          <HelpersContext value={helpers}>
            <CallProgressContext value={chat.progress}>
              <Transcript
                label="Conversation with helper"
                messages={chat.messages}
                busy={chat.busy}
                waiting={chat.waiting}
              />
            </CallProgressContext>
          </HelpersContext>
        </div>
      </div>
      <footer className="px-4 pb-3 sm:px-6 sm:pb-5">
        {away && <JumpToLatest onClick={follow} />}
        {chat.refusal && <Refused refusal={chat.refusal} onRetry={chat.reconnect} />}
        <ConnectionNote phase={chat.phase} reason={chat.closeReason} onRetry={chat.reconnect} />
        {chat.phase !== "connected" && <ConnectionStatus phase={chat.phase} label={undefined} />}
        <Unanswered
          problem={chat.problem}
          rejected={chat.rejected !== undefined}
          onRetry={undefined}
          onDismiss={chat.dismiss}
        />
        <Composer
          ref={composer}
          labels={labels}
          busy={chat.busy}
          refused={chat.phase === "refused"}
          rejected={chat.rejected}
          onSend={send}
          onStop={chat.stop}
        />
      </footer>
    </>
  );
}
