import { useMemo, useRef } from "react";
import { openRun } from "../address";
import { HelpersContext } from "../helpers";
import { useRunPath } from "../hooks/useAddress";
import { useConversation } from "../hooks/useConversation";
import { useStickToBottom } from "../hooks/useStickToBottom";
import type { Run } from "../run";
import { formatRun } from "../runpath";
import { BackgroundRuns } from "./BackgroundRuns";
import { Composer, type ComposerNames } from "./Composer";
import { Header } from "./Header";
import { HelperDialog } from "./HelperDialog";
import { JumpToLatest } from "./JumpToLatest";
import { Problem } from "./Problem";
import { Transcript } from "./Transcript";
import { Welcome } from "./Welcome";

const names: ComposerNames = { message: "Message", send: "Send", stop: "Stop" };

/** Chat is one conversation: what was said above, what to say next below. */
export function Chat({ name }: { name: string }) {
  const chat = useConversation(name);
  const path = useRunPath();
  const { content, away, follow } = useStickToBottom();
  const composer = useRef<HTMLTextAreaElement>(null);
  const { runsOf, answer, answerHelper } = chat;
  const helpers = useMemo(
    () => ({ runsOf, answer, answerHelper, open: (run: Run) => openRun([run.subAgent]) }),
    [runsOf, answer, answerHelper],
  );
  const refused = chat.phase === "refused";
  const empty = chat.messages.length === 0 && !chat.busy;

  const send = (text: string) => {
    chat.send(text);
    follow();
    composer.current?.focus({ preventScroll: true });
  };
  const clear = () => {
    chat.clear();
    composer.current?.focus({ preventScroll: true });
  };

  return (
    <HelpersContext value={helpers}>
      <div ref={empty ? undefined : content} className="flex min-h-dvh flex-col">
        <Header name={name} phase={chat.phase} onClear={chat.messages.length > 0 ? clear : undefined} />
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
          {chat.problem !== undefined && (
            <Problem
              title="The answer did not arrive"
              text={chat.problem}
              onRetry={chat.messages.length > 0 ? chat.regenerate : undefined}
              onDismiss={chat.dismiss}
            />
          )}
          <BackgroundRuns runs={chat.unboundRuns} />
          <Composer ref={composer} names={names} busy={chat.busy} refused={refused} onSend={send} onStop={chat.stop} />
        </footer>
        {path.length > 0 && (
          <HelperDialog key={formatRun(path)} name={name} path={path} run={chat.runsById[path.at(-1)?.name ?? ""]} />
        )}
      </div>
    </HelpersContext>
  );
}
