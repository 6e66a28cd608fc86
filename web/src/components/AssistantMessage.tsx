import { ArrowClockwiseIcon } from "@phosphor-icons/react";
import type { UIMessage } from "ai";
import { memo } from "react";
import { failureOf, textOf } from "../message";
import { CopyButton } from "./CopyButton";
import { Parts } from "./Parts";
import { Broken } from "./Problem";
import { QuietButton } from "./QuietButton";

interface AssistantMessageProps {
  message: UIMessage;
  /** The answer is still growing. */
  live: boolean;
  /** What is said elsewhere of why it is not whole. */
  problem?: string;
  /** Absent where there is nothing to regenerate. */
  onRegenerate: (() => void) | undefined;
}

/** AssistantMessage shows an answer, part by part. */
export const AssistantMessage = memo(function AssistantMessage({
  message,
  live,
  problem,
  onRegenerate,
}: AssistantMessageProps) {
  const text = textOf(message);
  const failure = failureOf(message);
  return (
    <article aria-label="Assistant" className="reach pb-8" data-live={live || undefined}>
      <Parts parts={message.parts} live={live} fading />
      {!live && failure !== problem && failure && <Broken begun={text !== ""} reason={failure} />}
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
