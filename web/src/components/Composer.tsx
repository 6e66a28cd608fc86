import { Button } from "@cloudflare/kumo/components/button";
import { ArrowUpIcon, PaperclipIcon, StopIcon } from "@phosphor-icons/react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type Ref, useRef, useState } from "react";
import type { Asked } from "../asked";
import { type Attachment, excess } from "../attachment";
import { useAttachments } from "../hooks/useAttachments";
import { AttachmentChips } from "./AttachmentChips";

/** ComposerNames is what its parts are called by those who do not see them. */
export interface ComposerNames {
  message: string;
  attach: string;
  send: string;
  stop: string;
}

interface ComposerProps {
  ref: Ref<HTMLTextAreaElement>;
  names: ComposerNames;
  busy: boolean;
  refused: boolean;
  /** What was sent and refused: it is put back, unless something else has been begun. */
  returned: Asked | undefined;
  onSend: (text: string, attachments: Attachment[]) => void;
  onStop: () => void;
}

/** Composer is where the next message is written. A draft can be written while an answer is coming. */
export function Composer({ ref, names, busy, refused, returned, onSend, onStop }: ComposerProps) {
  const [draft, setDraft] = useState("");
  const [seen, setSeen] = useState(returned);
  const attachments = useAttachments();
  const picker = useRef<HTMLInputElement>(null);
  const sendable = (draft.trim() !== "" || attachments.list.length > 0) && !busy && !refused;

  if (returned !== seen) {
    setSeen(returned);
    if (returned && draft === "" && attachments.list.length === 0) {
      setDraft(returned.text);
      attachments.set(returned.attachments);
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
          aria-label={names.attach}
          title="Images and text files"
          icon={<PaperclipIcon size={18} />}
          onClick={() => picker.current?.click()}
        />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={`${names.attach}: choose`}
          onChange={({ target }) => {
            attachments.add([...(target.files ?? [])]);
            target.value = "";
          }}
        />
        <textarea
          ref={ref}
          aria-label={names.message}
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
      </div>
    </form>
  );
}
