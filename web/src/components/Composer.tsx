import { Button } from "@cloudflare/kumo/components/button";
import { ArrowUpIcon, PaperclipIcon, StopIcon } from "@phosphor-icons/react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type Ref, useRef, useState } from "react";
import { type Attachment, excess } from "../attachment";
import { useAttachments } from "../hooks/useAttachments";
import type { SentMessage } from "../sent";
import { AttachmentChips } from "./AttachmentChips";

/** ComposerLabels are the accessible names of the composer's controls. */
export interface ComposerLabels {
  message: string;
  attach: string;
  send: string;
  stop: string;
}

interface ComposerProps {
  ref: Ref<HTMLTextAreaElement>;
  labels: ComposerLabels;
  busy: boolean;
  refused: boolean;
  /** The message that the server rejected. It becomes the draft again, unless another draft was begun. */
  rejected: SentMessage | undefined;
  onSend: (text: string, attachments: Attachment[]) => void;
  onStop: () => void;
}

/** Composer is the form for the next message. A draft can be written while an answer arrives. */
export function Composer({ ref, labels, busy, refused, rejected, onSend, onStop }: ComposerProps) {
  const [draft, setDraft] = useState("");
  const [seen, setSeen] = useState(rejected);
  const attachments = useAttachments();
  const picker = useRef<HTMLInputElement>(null);
  const sendable = (draft.trim() !== "" || attachments.list.length > 0) && !busy && !refused;

  if (rejected !== seen) {
    setSeen(rejected);
    if (rejected && draft === "" && attachments.list.length === 0) {
      setDraft(rejected.text);
      attachments.set(rejected.attachments);
    }
  }

  const submit = () => {
    if (!sendable) return;
    const why = excess(draft.trim(), attachments.list);
    if (why) return attachments.refuse(why);
    onSend(draft.trim(), attachments.list);
    setDraft("");
    attachments.set([]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const take = (event: ClipboardEvent | DragEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  };

  return (
    <form
      className="field rounded-3xl border border-line bg-surface p-2 shadow-sm"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
    >
      <AttachmentChips attachments={attachments.list} onRemove={attachments.remove} />
      <div role="alert" className="px-3 pt-2 pb-1 text-sm leading-snug text-danger empty:hidden">
        {attachments.refused.map((why) => (
          <p key={why}>{why}</p>
        ))}
      </div>
      <div className="flex items-end gap-1">
        <Button
          type="button"
          size="lg"
          shape="circle"
          variant="ghost"
          aria-label={labels.attach}
          title="Images and text files"
          icon={<PaperclipIcon size={18} />}
          onClick={() => picker.current?.click()}
        />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={`${labels.attach}: choose`}
          onChange={({ target }) => {
            attachments.add([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        <textarea
          ref={ref}
          aria-label={labels.message}
          placeholder="Write a message"
          rows={1}
          className="field-sizing-content max-h-60 min-h-10 w-full resize-none bg-transparent px-1 py-2 outline-none placeholder:text-quiet"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => take(event, event.clipboardData)}
        />
        {busy ? (
          <Button
            key="stop"
            size="lg"
            shape="circle"
            variant="secondary"
            aria-label={labels.stop}
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
            aria-label={labels.send}
            icon={<ArrowUpIcon size={18} weight="bold" />}
            disabled={!sendable}
          />
        )}
      </div>
    </form>
  );
}
