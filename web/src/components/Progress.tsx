interface ProgressProps {
  progress: {
    /** How much is done, from 0 to 1. */
    fraction?: number | undefined;
    phase?: string | undefined;
    message?: string | undefined;
  };
}

/** Progress shows how far a helper, or a call of a server, says that it is. */
export function Progress({ progress: { fraction, phase, message } }: ProgressProps) {
  const text = [phase, message].filter(Boolean).join(": ");
  if (fraction === undefined && !text) return null;
  const percent = Math.round(Math.min(Math.max(fraction ?? 0, 0), 1) * 100);
  return (
    <div className="px-3 pb-2.5 text-xs text-quiet">
      {fraction !== undefined && (
        <div
          role="progressbar"
          aria-label="Progress"
          aria-valuenow={percent}
          aria-valuetext={`${percent} %${text && `, ${text}`}`}
          className="mb-1.5 h-1.5 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full rounded-full bg-river transition-[width]" style={{ width: `${percent}%` }} />
        </div>
      )}
      <p className="flex gap-2">
        <span className="min-w-0 grow truncate">{text}</span>
        {fraction !== undefined && <span aria-hidden="true">{percent} %</span>}
      </p>
    </div>
  );
}
