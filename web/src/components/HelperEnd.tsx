import { type Run, runAdvice, runReason, runState } from "../run";
import { toneInks } from "../tone";

/** HelperEnd says why a run did not complete, and what can be done about it; nothing where it is gone. */
export function HelperEnd({ run, gone }: { run: Run; gone: boolean }) {
  const reason = runReason(run);
  const advice = gone ? "It has been deleted." : runAdvice(run);
  if (!reason && !advice) return null;
  return (
    <div className="flex flex-col gap-1 px-3 pb-2.5 text-sm leading-snug wrap-anywhere">
      {reason && <p className={toneInks[runState(run).tone]}>{reason}</p>}
      {advice && <p className="text-quiet">{advice}</p>}
    </div>
  );
}
