import type { UIMessage } from "ai";
import { hasVisiblePart } from "../message";
import { AssistantMessage } from "./AssistantMessage";
import { UserMessage } from "./UserMessage";
import { Waiting } from "./Waiting";

interface TranscriptProps {
  label: string;
  messages: UIMessage[];
  busy: boolean;
  waiting: boolean;
  /** Why there is no answer to the last message, where that is shown beside the transcript. */
  problem?: string;
  /** Absent where messages cannot be edited. */
  onEdit?: (message: UIMessage, text: string) => void;
  onRegenerate?: () => void;
}

/** Transcript shows the messages of a conversation. */
export function Transcript({ label, messages, busy, waiting, problem, onEdit, onRegenerate }: TranscriptProps) {
  const last = messages.at(-1);
  return (
    <div role="log" aria-label={label} aria-busy={busy} className="flex flex-col pt-4 sm:pt-8">
      {messages
        .filter(hasVisiblePart)
        .map((message) =>
          message.role === "user" ? (
            <UserMessage key={message.id} message={message} onEdit={busy ? undefined : onEdit} />
          ) : (
            <AssistantMessage
              key={message.id}
              message={message}
              live={busy && message === last}
              problem={message === last ? problem : undefined}
              onRegenerate={!busy && message === last ? onRegenerate : undefined}
            />
          ),
        )}
      {waiting && <Waiting />}
    </div>
  );
}
