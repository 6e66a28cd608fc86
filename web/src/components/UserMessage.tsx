import { Button } from "@cloudflare/kumo/components/button";
import { PencilSimpleIcon } from "@phosphor-icons/react";
import type { UIMessage } from "ai";
import { memo, useRef, useState } from "react";
import { textOf } from "../message";
import { Confluence } from "./Confluence";
import { EditForm } from "./EditForm";

interface UserMessageProps {
  message: UIMessage;
  /** Absent while it stays as it is. */
  onEdit: ((messageId: string, text: string) => void) | undefined;
}

/** UserMessage is a question: a stream that joins the conversation's. It can be asked again in other words. */
export const UserMessage = memo(function UserMessage({ message, onEdit }: UserMessageProps) {
  const [editing, setEditing] = useState(false);
  const note = useRef<HTMLElement>(null);
  const text = textOf(message);

  const close = () => {
    setEditing(false);
    requestAnimationFrame(() => note.current?.querySelector("button")?.focus());
  };
  const save = (next: string) => {
    setEditing(false);
    onEdit?.(message.id, next);
  };

  return (
    <article ref={note} aria-label="You" className="reach group pt-2 pb-6">
      <Confluence />
      <div className="field rounded-2xl rounded-tl-md border border-transparent bg-note px-4 py-3">
        {editing ? (
          <EditForm text={text} onSave={save} onCancel={close} />
        ) : (
          <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
        )}
      </div>
      {onEdit && !editing && (
        <div className="absolute right-0 bottom-0 transition-opacity pointer-fine:opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
          <Button size="sm" variant="ghost" icon={<PencilSimpleIcon size={14} />} onClick={() => setEditing(true)}>
            Edit
          </Button>
        </div>
      )}
    </article>
  );
});
