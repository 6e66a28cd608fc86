import { useRef } from "react";
import { useConversation } from "../hooks/useConversation";
import { useStickToBottom } from "../hooks/useStickToBottom";
import { Composer } from "./Composer";
import { Header } from "./Header";
import { JumpToLatest } from "./JumpToLatest";
import { Problem } from "./Problem";
import { Transcript } from "./Transcript";
import { Welcome } from "./Welcome";

/** Chat is one conversation: what was said above, what to say next below. */
export function Chat({ name }: { name: string }) {
  const chat = useConversation(name);
  const { content, away, follow } = useStickToBottom();
  const composer = useRef<HTMLTextAreaElement>(null);
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
    <div ref={empty ? undefined : content} className="flex min-h-dvh flex-col">
      <Header name={name} phase={chat.phase} onClear={chat.messages.length > 0 ? clear : undefined} />
      <main className="mx-auto flex w-full max-w-184 grow flex-col px-4 sm:px-6">
        {empty && <Welcome disabled={refused} onPick={send} />}
        <Transcript
          messages={chat.messages}
          busy={chat.busy}
          waiting={chat.waiting}
          onEdit={chat.edit}
          onRegenerate={chat.regenerate}
        />
      </main>
      <footer className="shore sticky bottom-0 z-10 mx-auto w-full max-w-184 px-4 pb-3 sm:px-6 sm:pb-5">
        {away && <JumpToLatest onClick={follow} />}
        {refused && <Problem title="The server refused the connection" text={chat.refusal} onRetry={chat.reconnect} />}
        {chat.problem !== undefined && (
          <Problem
            title="The answer did not arrive"
            text={chat.problem}
            onRetry={chat.messages.length > 0 ? chat.regenerate : undefined}
            onDismiss={chat.dismiss}
          />
        )}
        <Composer ref={composer} busy={chat.busy} refused={refused} onSend={send} onStop={chat.stop} />
      </footer>
    </div>
  );
}
