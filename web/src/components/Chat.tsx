import { useMemo, useRef } from "react";
import { openRun } from "../address";
import { questionsOf } from "../approval";
import type { Attachment } from "../attachment";
import type { Conversation } from "../conversation";
import { forgetConversation, noteConversation } from "../conversations";
import { HelpersContext } from "../helpers";
import { useRunPath } from "../hooks/useAddress";
import { useConversation } from "../hooks/useConversation";
import { useListed } from "../hooks/useConversations";
import { useStickToBottom } from "../hooks/useStickToBottom";
import { useTitle } from "../hooks/useTitle";
import type { Loss } from "../loss";
import { hasVisiblePart, titleOf } from "../message";
import type { Run } from "../run";
import { formatRun } from "../runpath";
import { Composer, type ComposerNames } from "./Composer";
import { ConnectionNote } from "./ConnectionNote";
import { Header } from "./Header";
import { HelperDialog } from "./HelperDialog";
import { JumpToLatest } from "./JumpToLatest";
import { Unanswered } from "./Problem";
import { Questions } from "./Questions";
import { Refused } from "./Refused";
import { Transcript } from "./Transcript";
import { Tray } from "./Tray";
import { Welcome } from "./Welcome";

const names: ComposerNames = { message: "Message", attach: "Attach", send: "Send", stop: "Stop" };

/** Chat is one conversation: what was said above, what to say next below. */
export function Chat({ name }: { name: string }) {
  const chat = useConversation(name);
  const path = useRunPath();
  const { content, away, follow } = useStickToBottom();
  const composer = useRef<HTMLTextAreaElement>(null);
  const { runsOf, infos, gone, answer, answerHelper, call } = chat;
  const helpers = useMemo(
    () => ({
      runsOf,
      infos,
      gone,
      answer,
      answerHelper,
      open: (run: Run) => openRun([run.subAgent]),
      // Whether it was stopped is seen at the run; one that is over already stays what it is.
      cancel: (run: Run) => void call("cancelRun", [run.runId]).catch(() => undefined),
    }),
    [runsOf, infos, gone, answer, answerHelper, call],
  );
  const title = titleOf(chat.messages);
  useListed(name, title);
  useTitle(title);
  const refused = chat.phase === "refused";
  const empty = chat.messages.length === 0 && !chat.busy;

  const send = (text: string, attachments: Attachment[] = []) => {
    chat.send(text, attachments);
    noteConversation(name, title || text || "Attachments");
    follow();
    composer.current?.focus({ preventScroll: true });
  };
  const clear = () => {
    chat.clear();
    forgetConversation(name);
    composer.current?.focus({ preventScroll: true });
  };

  return (
    <HelpersContext value={helpers}>
      <div ref={empty ? undefined : content} className="flex min-h-dvh flex-col">
        <div className="bank sticky top-0 z-20">
          <Header name={name} title={title} phase={chat.phase} loss={lossOf(chat)} onClear={clear} />
          <Questions questions={questionsOf(chat.messages, chat.runsById)} />
        </div>
        <main className="mx-auto flex w-full max-w-184 grow flex-col px-4 sm:px-6">
          {empty && <Welcome disabled={refused} onPick={send} />}
          <Transcript
            label="Conversation"
            messages={chat.messages}
            busy={chat.busy}
            waiting={chat.waiting}
            onEdit={chat.edit}
            onRegenerate={chat.regenerate}
          />
        </main>
        <footer className="shore sticky bottom-0 z-10 mx-auto w-full max-w-184 px-4 pb-3 sm:px-6 sm:pb-5">
          {away && <JumpToLatest onClick={follow} />}
          {chat.refusal && <Refused refusal={chat.refusal} onRetry={chat.reconnect} />}
          <ConnectionNote phase={chat.phase} reason={chat.dropped} onRetry={chat.reconnect} />
          <Unanswered
            problem={chat.problem}
            returned={chat.returned !== undefined}
            onRetry={chat.messages.length > 0 ? chat.regenerate : undefined}
            onDismiss={chat.dismiss}
          />
          <Tray runs={chat.unboundRuns} onRemove={chat.remove} />
          <Composer
            ref={composer}
            names={names}
            busy={chat.busy}
            refused={refused}
            returned={chat.returned}
            onSend={send}
            onStop={chat.stop}
          />
        </footer>
        {path.length > 0 && (
          <HelperDialog key={formatRun(path)} name={name} path={path} run={chat.runsById[path.at(-1)?.name ?? ""]} />
        )}
      </div>
    </HelpersContext>
  );
}

/** lossOf is what goes when a conversation is cleared; undefined where nothing was said. */
function lossOf({ messages, runsById, unboundRuns, gone, busy }: Conversation): Loss | undefined {
  if (messages.length === 0) return undefined;
  const runs = Object.values(runsById).filter(({ runId }) => !gone.includes(runId));
  return {
    messages: messages.filter(hasVisiblePart).length,
    helpers: runs.length - unboundRuns.length,
    background: unboundRuns.length,
    atWork: busy || runs.some(({ status }) => status === "running"),
  };
}
