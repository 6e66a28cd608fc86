import { FileTextIcon } from "@phosphor-icons/react";
import { type Attachment, attachmentName, attachmentText } from "../attachment";
import { Picture } from "./Picture";
import { Scrolled } from "./Scrolled";

/** AttachedFile shows an attachment: an image, or a text file by its name and, on request, its text. */
export function AttachedFile({ part }: { part: Attachment }) {
  const name = attachmentName(part);
  if (part.type === "file") return <Picture part={part} name={name ?? ""} />;
  return (
    <details className="disclosure w-full rounded-xl border border-line bg-surface text-sm">
      <summary className="flex items-center gap-2 rounded-xl px-3 py-2">
        <FileTextIcon className="shrink-0 text-quiet" size={15} aria-hidden="true" />
        <span className="truncate">{name}</span>
      </summary>
      <Scrolled label={`Text of ${name}`} className="max-h-60 overflow-auto overscroll-contain px-3 pb-2.5">
        <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">{attachmentText(part)}</pre>
      </Scrolled>
    </details>
  );
}
