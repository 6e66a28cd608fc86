import { elapsed, tokens } from "../elapsed";
import { useNow } from "../hooks/useNow";
import type { Run } from "../run";
import { type RunInfo, timeOf } from "../runinfo";

/** HelperFacts shows how long a run has taken, and how many tokens it has used. */
export function HelperFacts({ run, info }: { run: Run; info: RunInfo | undefined }) {
  const running = run.status === "running";
  const now = useNow(running);
  // An answer from before the run's end does not hold its final time.
  if (!info || (!running && !info.over)) return null;
  return (
    <p className="text-xs whitespace-nowrap text-quiet tabular-nums">
      <span className="sr-only">Time taken: </span>
      {elapsed(timeOf(info, now))}
      {info.tokens > 0 && ` · ${tokens(info.tokens)}`}
    </p>
  );
}
