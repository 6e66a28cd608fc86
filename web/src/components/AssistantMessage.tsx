import { Button } from "@cloudflare/kumo/components/button";
import { ArrowClockwiseIcon } from "@phosphor-icons/react";
import type { UIMessage } from "ai";
import { memo } from "react";
import { Part } from "./Part";

interface AssistantMessageProps {
  message: UIMessage;
  /** The answer is still growing. */
  live: boolean;
  /** Absent where there is nothing to regenerate. */
  onRegenerate: (() => void) | undefined;
}

/** AssistantMessage is an answer, part after part, on the main stream. */
export const AssistantMessage = memo(function AssistantMessage({ message, live, onRegenerate }: AssistantMessageProps) {
  return (
    <article aria-label="Assistant" className="reach pb-8" data-live={live || undefined}>
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended, and have no other identity
        <Part key={index} part={part} live={live && index === message.parts.length - 1} />
      ))}
      {onRegenerate && (
        <Button
          className="mt-3 -ml-2 text-quiet"
          size="sm"
          variant="ghost"
          icon={<ArrowClockwiseIcon size={14} />}
          onClick={onRegenerate}
        >
          Regenerate
        </Button>
      )}
    </article>
  );
});
