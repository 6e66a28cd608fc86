import type { Run } from "../run";
import { HelperPanel } from "./HelperPanel";

/** BackgroundRuns are the helpers that no tool call waits for. */
export function BackgroundRuns({ runs }: { runs: Run[] }) {
  if (runs.length === 0) return null;
  return (
    <section
      aria-label="Background helpers"
      className="mb-3 flex max-h-56 flex-col gap-2 overflow-y-auto overscroll-contain rounded-xl"
    >
      {runs.map((run) => (
        <HelperPanel key={run.runId} run={run} expanded={false} />
      ))}
    </section>
  );
}
