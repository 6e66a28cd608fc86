import type { Run } from "../run";
import { HelperPanel } from "./HelperPanel";

/** HelperGrid shows the helpers that one tool call started, side by side; nothing where there are none. */
export function HelperGrid({ runs }: { runs: Run[] }) {
  if (runs.length === 0) return null;
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] items-start gap-3">
      {runs.map((run) => (
        <HelperPanel key={run.runId} run={run} expanded />
      ))}
    </div>
  );
}
