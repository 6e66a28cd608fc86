import { ArrowClockwiseIcon } from "@phosphor-icons/react";
import type { UIMessage } from "ai";
import { memo } from "react";
import { textOf } from "../message";
import { CopyButton } from "./CopyButton";
import { Parts } from "./Parts";
import { QuietButton } from "./QuietButton";

interface AssistantMessageProps {
  message: UIMessage;
  /** The answer is still growing. */
  live: boolean;
  /** Absent where there is nothing to regenerate. */
  onRegenerate: (() => void) | undefined;
}

/** AssistantMessage shows an answer, part by part. */
export const AssistantMessage = memo(function AssistantMessage({ message, live, onRegenerate }: AssistantMessageProps) {
  const text = textOf(message);
  return (
    <article aria-label="Assistant" className="reach pb-8" data-live={live || undefined}>
      <Parts parts={message.parts} live={live} fading />
      {!live && (text || onRegenerate) && (
        <div className="mt-3 -ml-2 flex gap-1">
          {text && <CopyButton text={text} />}
          {onRegenerate && (
            <QuietButton icon={<ArrowClockwiseIcon size={14} />} onClick={onRegenerate}>
              Regenerate
            </QuietButton>
          )}
        </div>
      )}
    </article>
  );
});
