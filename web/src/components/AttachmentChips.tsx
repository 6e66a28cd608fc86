import { Button } from "@cloudflare/kumo/components/button";
import { FileTextIcon, XIcon } from "@phosphor-icons/react";
import { type Attachment, attachmentName } from "../attachment";

interface AttachmentChipsProps {
  attachments: Attachment[];
  onRemove: (attachment: Attachment) => void;
}

/** AttachmentChips lists the files for the next message. */
export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-2 px-1 pt-1">
      {attachments.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be alike
        <li key={index} className="flex max-w-full items-center gap-2 rounded-xl bg-note py-1 pr-1 pl-1.5 text-sm">
          {part.type === "file" ? (
            <img src={part.url} alt="" className="size-8 rounded-lg object-cover" />
          ) : (
            <FileTextIcon className="mx-1 text-quiet" size={16} aria-hidden="true" />
          )}
          <span className="max-w-48 truncate">{attachmentName(part)}</span>
          <Button
            size="sm"
            shape="square"
            variant="ghost"
            aria-label={`Remove ${attachmentName(part)}`}
            icon={<XIcon size={12} />}
            onClick={() => onRemove(part)}
          />
        </li>
      ))}
    </ul>
  );
}
