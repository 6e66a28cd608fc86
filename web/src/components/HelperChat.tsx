import { useMemo, useRef } from "react";
import { openRun } from "../address";
import type { Attachment } from "../attachment";
import { HelpersContext } from "../helpers";
import { useConversation } from "../hooks/useConversation";
import { useStickToBottom } from "../hooks/useStickToBottom";
import type { Run } from "../run";
import type { RunPath } from "../runpath";
import { Composer, type ComposerNames } from "./Composer";
import { ConnectionNote } from "./ConnectionNote";
import { ConnectionStatus } from "./ConnectionStatus";
import { JumpToLatest } from "./JumpToLatest";
import { Problem, Unanswered } from "./Problem";
import { Refused } from "./Refused";
import { Transcript } from "./Transcript";

const names: ComposerNames = {
  message: "Message to helper",
  attach: "Attach for helper",
  send: "Send to helper",
  stop: "Stop helper",
};

/** HelperChat is the conversation with a helper: what it did so far, live, and what to ask it next. */
export function HelperChat({ name, path }: { name: string; path: RunPath }) {
  const chat = useConversation(name, path);
  const box = useRef<HTMLDivElement>(null);
  const { content, away, follow } = useStickToBottom(box);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { runsOf, infos, gone, answer, answerHelper } = chat;
  const helpers = useMemo(
    () => ({ runsOf, infos, gone, answer, answerHelper, open: (run: Run) => openRun([...path, run.subAgent]) }),
    [runsOf, infos, gone, answer, answerHelper, path],
  );

  const send = (text: string, attachments: Attachment[]) => {
    chat.send(text, attachments);
    follow();
    composer.current?.focus({ preventScroll: true });
  };

  // Where only the token has ended, what was typed stays.
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
            <Transcript
              label="Conversation with helper"
              messages={chat.messages}
              busy={chat.busy}
              waiting={chat.waiting}
            />
          </HelpersContext>
        </div>
      </div>
      <footer className="px-4 pb-3 sm:px-6 sm:pb-5">
        {away && <JumpToLatest onClick={follow} />}
        {chat.refusal && <Refused refusal={chat.refusal} onRetry={chat.reconnect} />}
        <ConnectionNote phase={chat.phase} reason={chat.dropped} onRetry={chat.reconnect} />
        {chat.phase !== "connected" && <ConnectionStatus phase={chat.phase} label={undefined} />}
        <Unanswered
          problem={chat.problem}
          returned={chat.returned !== undefined}
          onRetry={undefined}
          onDismiss={chat.dismiss}
        />
        <Composer
          ref={composer}
          names={names}
          busy={chat.busy}
          refused={chat.phase === "refused"}
          returned={chat.returned}
          onSend={send}
          onStop={chat.stop}
        />
      </footer>
    </>
  );
}
