import { Button } from "@cloudflare/kumo/components/button";
import { ArrowUpIcon, StopIcon } from "@phosphor-icons/react";
import { type KeyboardEvent, type Ref, useState } from "react";

/** ComposerNames is what its parts are called by those who do not see them. */
export interface ComposerNames {
  message: string;
  send: string;
  stop: string;
}

interface ComposerProps {
  ref: Ref<HTMLTextAreaElement>;
  names: ComposerNames;
  busy: boolean;
  refused: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Composer is where the next message is written. A draft can be written while an answer is coming. */
export function Composer({ ref, names, busy, refused, onSend, onStop }: ComposerProps) {
  const [draft, setDraft] = useState("");
  const sendable = draft.trim() !== "" && !busy && !refused;

  const submit = () => {
    if (!sendable) return;
    onSend(draft.trim());
    setDraft("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      className="field flex items-end gap-2 rounded-3xl border border-line bg-surface p-2 pl-5 shadow-sm"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={ref}
        aria-label={names.message}
        placeholder="Write a message"
        rows={1}
        className="field-sizing-content max-h-60 min-h-10 w-full resize-none bg-transparent py-2 outline-none placeholder:text-quiet"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {busy ? (
        <Button
          key="stop"
          size="lg"
          shape="circle"
          variant="secondary"
          aria-label={names.stop}
          icon={<StopIcon size={16} weight="fill" />}
          onClick={onStop}
        />
      ) : (
        <Button
          key="send"
          type="submit"
          size="lg"
          shape="circle"
          variant="primary"
          aria-label={names.send}
          icon={<ArrowUpIcon size={18} weight="bold" />}
          disabled={!sendable}
        />
      )}
    </form>
  );
}
