import { WavesIcon } from "@phosphor-icons/react";
import { use, useState } from "react";
import { HelpersContext } from "../helpers";
import type { Run } from "../run";
import { trayOf, traySummary } from "../tray";
import { Caret } from "./Caret";
import { HelperPanel } from "./HelperPanel";

interface TrayProps {
  runs: Run[];
  onRemove: (run: Run) => void;
}

/** Tray lists the background helpers: no tool call waits for them, and they outlive their turn. */
export function Tray({ runs, onRemove }: TrayProps) {
  const [open, setOpen] = useState(true);
  const { infos } = use(HelpersContext);
  if (runs.length === 0) return null;
  return (
    <section aria-label="Background helpers" className="mb-3 rounded-2xl border border-line bg-surface shadow-sm">
      <button
        type="button"
        aria-expanded={open}
        className="flex w-full items-center gap-2 rounded-2xl px-4 py-2 text-left text-sm"
        onClick={() => setOpen(!open)}
      >
        <WavesIcon className="shrink-0 text-river" size={16} aria-hidden="true" />
        <span className="font-medium whitespace-nowrap">In the background</span>
        <span className="min-w-0 grow truncate text-quiet">{traySummary(runs, infos)}</span>
        <Caret open={open} />
      </button>
      {open && (
        <ul className="relative max-h-[38dvh] divide-y divide-line overflow-y-auto overscroll-contain border-t border-line px-1">
          {trayOf(runs, infos).map((run) => (
            <li key={run.runId}>
              <HelperPanel run={run} expanded={false} flat onRemove={onRemove} />
            </li>
          ))}
        </ul>
      )}
      <p aria-live="polite" className="sr-only">
        Background helpers: {traySummary(runs, infos)}
      </p>
    </section>
  );
}
