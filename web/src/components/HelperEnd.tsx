import { type Run, runAdvice, runReason, runState } from "../run";
import { toneInks } from "../tone";

/** HelperEnd says why a run did not complete, and what can be done about it. */
export function HelperEnd({ run }: { run: Run }) {
  const reason = runReason(run);
  const advice = runAdvice(run);
  if (!reason && !advice) return null;
  return (
    <div className="flex flex-col gap-1 px-3 pb-2.5 text-sm leading-snug wrap-anywhere">
      {reason && <p className={toneInks[runState(run).tone]}>{reason}</p>}
      {advice && <p className="text-quiet">{advice}</p>}
    </div>
  );
}
