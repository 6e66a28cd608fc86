import { Button } from "@cloudflare/kumo/components/button";
import { type KeyboardEvent, useState } from "react";

interface EditFormProps {
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

/** EditForm changes a question in its place. */
export function EditForm({ text, onSave, onCancel }: EditFormProps) {
  const [draft, setDraft] = useState(text);
  const usable = draft.trim() !== "";

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (usable) onSave(draft.trim());
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
      <div className="flex items-center justify-end gap-2">
        <p className="mr-auto text-xs text-quiet">What followed will be answered anew.</p>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" disabled={!usable} onClick={() => onSave(draft.trim())}>
          Save
        </Button>
      </div>
    </div>
  );
}
