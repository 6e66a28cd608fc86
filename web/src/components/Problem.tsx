import { Button } from "@cloudflare/kumo/components/button";
import { WarningCircleIcon, XIcon } from "@phosphor-icons/react";

interface ProblemProps {
  title: string;
  /** The server's error message. */
  text: string | undefined;
  onRetry: (() => void) | undefined;
  onDismiss?: () => void;
}

/** Problem shows an error, with buttons to retry or dismiss it. */
export function Problem({ title, text, onRetry, onDismiss }: ProblemProps) {
  return (
    <div
      role="alert"
      className="appear mb-3 flex items-start gap-3 rounded-xl border border-danger/30 bg-danger-soft px-4 py-3"
    >
      <WarningCircleIcon className="mt-0.5 shrink-0 text-danger" size={18} aria-hidden="true" />
      <div className="min-w-0 grow text-sm leading-snug">
        <p className="font-medium text-danger">{title}</p>
        {text && <p className="max-h-32 overflow-auto wrap-anywhere">{text}</p>}
      </div>
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
      {onDismiss && (
        <Button
          size="sm"
          shape="square"
          variant="ghost"
          aria-label="Dismiss"
          icon={<XIcon size={14} />}
          onClick={onDismiss}
        />
      )}
    </div>
  );
}

interface BrokenProps {
  /** Some of the answer has come. */
  begun: boolean;
  reason: string;
}

/** Broken says below an answer why it is not whole. */
export function Broken({ begun, reason }: BrokenProps) {
  return (
    <p className="mt-3 flex items-start gap-2 text-sm leading-snug text-danger">
      <WarningCircleIcon className="mt-0.5 shrink-0" size={16} aria-hidden="true" />
      <span className="max-h-32 min-w-0 overflow-auto wrap-anywhere">
        {begun && "The answer is not whole: "}
        {reason}
      </span>
    </p>
  );
}

interface UnansweredProps {
  problem: string | undefined;
  /** The server rejected the message, which is in the composer again. */
  rejected: boolean;
  onRetry: (() => void) | undefined;
  onDismiss: () => void;
}

/**
 * Unanswered says why a message has no answer. It offers no retry for a rejected message, which would be rejected
 * again.
 */
export function Unanswered({ problem, rejected, onRetry, onDismiss }: UnansweredProps) {
  if (problem === undefined) return null;
  const title = rejected ? "The message was not taken" : "The answer did not arrive";
  return <Problem title={title} text={problem} onRetry={rejected ? undefined : onRetry} onDismiss={onDismiss} />;
}
