import { Button } from "@cloudflare/kumo/components/button";
import { type KeyboardEvent, useState } from "react";
import { type Attachment, excess } from "../attachment";

interface EditFormProps {
  text: string;
  /** The message's attachments, which stay. */
  attachments: Attachment[];
  onSave: (text: string) => void;
  onCancel: () => void;
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** EditForm edits a user's message in place. */
export function EditForm({ text, attachments, onSave, onCancel }: EditFormProps) {
  const [draft, setDraft] = useState(text);
  const [refused, setRefused] = useState<string>();
  const usable = draft.trim() !== "";

  const save = () => {
    if (!usable) return;
    const why = excess(draft.trim(), attachments);
    if (why) setRefused(why);
    else onSave(draft.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };

  return (
    <div className="flex flex-col gap-2">
      <textarea
        ref={focusAtEnd}
        aria-label="Edited text"
        className="field-sizing-content max-h-80 w-full resize-none bg-transparent outline-none"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {refused && (
        <p role="alert" className="text-sm leading-snug text-danger">
          {refused}
        </p>
      )}
      <div className="flex items-center justify-end gap-2">
        <p className="mr-auto text-xs text-quiet">What followed will be answered anew.</p>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" disabled={!usable} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  );
}
