import { PencilSimpleIcon } from "@phosphor-icons/react";
import type { UIMessage } from "ai";
import { memo, useRef, useState } from "react";
import { attachmentsOf } from "../attachment";
import { noteOf, textOf } from "../message";
import { AttachedFile } from "./AttachedFile";
import { CopyButton } from "./CopyButton";
import { EditForm } from "./EditForm";
import { QuietButton } from "./QuietButton";
import { StreamJoin } from "./StreamJoin";

interface UserMessageProps {
  message: UIMessage;
  /** Absent where the message cannot be edited. */
  onEdit: ((message: UIMessage, text: string) => void) | undefined;
}

/** UserMessage shows a message of the user, which can be edited and sent again. */
export const UserMessage = memo(function UserMessage({ message, onEdit }: UserMessageProps) {
  const [editing, setEditing] = useState(false);
  const note = useRef<HTMLElement>(null);
  const text = textOf(message);
  const attachments = attachmentsOf(message.parts);
  const fate = noteOf(message);

  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => note.current?.querySelector<HTMLElement>("[data-edit]")?.focus());
  };
  const save = (next: string) => {
    setEditing(false);
    onEdit?.(message, next);
  };

  return (
    <article ref={note} aria-label="You" className="reach group pt-2 pb-8">
      <StreamJoin />
      <div className="field flex flex-col gap-2 rounded-2xl rounded-tl-md border border-transparent bg-note px-4 py-3">
        {editing && <EditForm text={text} attachments={attachments} onSave={save} onCancel={close} />}
        {!editing && text && <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>}
        {attachments.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {attachments.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be alike
              <AttachedFile key={index} part={part} />
            ))}
          </div>
        )}
      </div>
      {fate && <p className="mt-2 -mb-6 pr-28 pl-4 text-xs text-quiet">{fate}</p>}
      {!editing && (
        <div className="absolute right-0 bottom-0.5 flex transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
          {text && <CopyButton text={text} />}
          {onEdit && (
            <QuietButton data-edit icon={<PencilSimpleIcon size={14} />} onClick={() => setEditing(true)}>
              Edit
            </QuietButton>
          )}
        </div>
      )}
    </article>
  );
});
