import { useMemo, useRef, useState } from "react";
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
import { Problem } from "./Problem";
import { Questions } from "./Questions";
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
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const { runsOf, infos, answer, answerHelper, call } = chat;
  const helpers = useMemo(
    () => ({
      runsOf,
      infos,
      answer,
      answerHelper,
      open: (run: Run) => openRun([run.subAgent]),
      // Whether it was stopped is seen at the run; one that is over already stays what it is.
      cancel: (run: Run) => void call("cancelRun", [run.runId]).catch(() => undefined),
    }),
    [runsOf, infos, answer, answerHelper, call],
  );
  const title = titleOf(chat.messages);
  useListed(name, title);
  useTitle(title);
  const refused = chat.phase === "refused";
  const background = chat.unboundRuns.filter(({ runId }) => !removed.includes(runId));
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
  const remove = (run: Run) =>
    void call("deleteRun", [run.runId]).then(
      () => setRemoved((have) => [...have, run.runId]),
      () => undefined, // It is still needed, as while its end waits to be told: it stays in view.
    );

  return (
    <HelpersContext value={helpers}>
      <div ref={empty ? undefined : content} className="flex min-h-dvh flex-col">
        <div className="bank sticky top-0 z-20">
          <Header name={name} title={title} phase={chat.phase} loss={lossOf(chat, background)} onClear={clear} />
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
          {refused && (
            <Problem title="The server refused the connection" text={chat.refusal} onRetry={chat.reconnect} />
          )}
          <ConnectionNote phase={chat.phase} reason={chat.dropped} onRetry={chat.reconnect} />
          {chat.problem !== undefined && (
            <Problem
              title="The answer did not arrive"
              text={chat.problem}
              onRetry={chat.messages.length > 0 ? chat.regenerate : undefined}
              onDismiss={chat.dismiss}
            />
          )}
          <Tray runs={background} onRemove={remove} />
          <Composer ref={composer} names={names} busy={chat.busy} refused={refused} onSend={send} onStop={chat.stop} />
        </footer>
        {path.length > 0 && (
          <HelperDialog key={formatRun(path)} name={name} path={path} run={chat.runsById[path.at(-1)?.name ?? ""]} />
        )}
      </div>
    </HelpersContext>
  );
}

/** lossOf is what goes when a conversation is cleared; undefined where nothing was said. */
function lossOf({ messages, runsById, unboundRuns, busy }: Conversation, background: Run[]): Loss | undefined {
  if (messages.length === 0) return undefined;
  const runs = Object.values(runsById);
  return {
    messages: messages.filter(hasVisiblePart).length,
    helpers: runs.length - unboundRuns.length,
    background: background.length,
    atWork: busy || runs.some(({ status }) => status === "running"),
  };
}
