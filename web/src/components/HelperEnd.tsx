import { type Run, runAdvice, runReason, runState } from "../run";
import { toneTextColors } from "../tone";

/** HelperEnd says why a run did not complete, and what a person can do about it. */
export function HelperEnd({ run, deleted }: { run: Run; deleted: boolean }) {
  const reason = runReason(run);
  const advice = deleted ? "It has been deleted." : runAdvice(run);
  if (!reason && !advice) return null;
  return (
    <div className="flex flex-col gap-1 px-3 pb-2.5 text-sm leading-snug wrap-anywhere">
      {reason && <p className={toneTextColors[runState(run).tone]}>{reason}</p>}
      {advice && <p className="text-quiet">{advice}</p>}
    </div>
  );
}
