import { Button } from "@cloudflare/kumo/components/button";
import { WarningCircleIcon, XIcon } from "@phosphor-icons/react";

interface ProblemProps {
  title: string;
  /** The server's own words. */
  text: string | undefined;
  onRetry: (() => void) | undefined;
  onDismiss?: () => void;
}

/** Problem says what went wrong and what can be done about it. */
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
