import { CaretRightIcon, WarningCircleIcon } from "@phosphor-icons/react";
import { Scrolled } from "../components/Scrolled";
import { linesOf } from "./build";
import { fold, useBuild } from "./useBuild";

/** BuildPanel shows why the last build failed, until one succeeds. */
export default function BuildPanel({ address }: { address: string }) {
  const { error, folded } = useBuild(address);
  if (error === undefined) return null;
  return (
    <div role="alert" aria-label="Failed build" className="appear mx-auto w-full max-w-184 px-4 pb-2 sm:px-6">
      <details
        open={!folded}
        className="disclosure rounded-xl border border-danger/30 bg-danger-soft text-sm"
        onToggle={({ currentTarget }) => fold(!currentTarget.open)}
      >
        <summary className="flex items-center gap-3 rounded-xl px-4 py-2.5">
          <WarningCircleIcon className="shrink-0 text-danger" size={17} aria-hidden="true" />
          <span className="min-w-0 grow">
            <span className="font-medium text-danger">The build failed.</span>{" "}
            <span className="text-quiet">The last one that worked is still running.</span>
          </span>
          <CaretRightIcon className="caret shrink-0 text-quiet" size={12} aria-hidden="true" />
        </summary>
        <Scrolled
          label="Error of the build"
          className="max-h-[min(16rem,30dvh)] overflow-y-auto overscroll-contain rounded-b-xl border-t border-danger/20 px-4 py-2.5 font-mono text-[0.8rem] leading-relaxed whitespace-pre-wrap wrap-anywhere"
        >
          {linesOf(error).map(({ place, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text, which are never moved
            <div key={at}>
              {place && <span className="font-medium text-danger">{place}</span>}
              {text || " "}
            </div>
          ))}
        </Scrolled>
      </details>
    </div>
  );
}
