import { Button } from "@cloudflare/kumo/components/button";
import { CaretRightIcon, SidebarSimpleIcon } from "@phosphor-icons/react";
import { memo, use, useState } from "react";
import { HelpersContext } from "../helpers";
import { preview } from "../preview";
import { type Run, runLabel, runReason, runState, runTitle } from "../run";
import { HelperIcon } from "./HelperIcon";
import { HelperProgress } from "./HelperProgress";
import { HelperWork } from "./HelperWork";
import { StateWord } from "./StateWord";

interface HelperPanelProps {
  run: Run;
  /** Whether its work is in view from the start. */
  expanded: boolean;
}

/** HelperPanel is one helper's run: who it is, how it stands, and its work while it grows. */
export const HelperPanel = memo(function HelperPanel({ run, expanded }: HelperPanelProps) {
  const [open, setOpen] = useState(expanded);
  const helpers = use(HelpersContext);
  const asked = preview(run.inputPreview);
  const reason = runReason(run);

  return (
    <section aria-label={runLabel(run)} className="min-w-0 rounded-xl border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-2 py-2 pr-1.5 pl-3 text-sm">
        <HelperIcon name={run.display?.icon} />
        <h3 className="min-w-0 truncate font-medium">{runTitle(run)}</h3>
        <output className="ml-auto">
          <StateWord {...runState(run)} />
        </output>
        <div className="flex">
          {helpers.open && (
            <Button
              size="sm"
              variant="ghost"
              icon={<SidebarSimpleIcon className="-scale-x-100" size={14} />}
              onClick={() => helpers.open?.(run)}
            >
              Open
            </Button>
          )}
          <Button
            size="sm"
            shape="square"
            variant="ghost"
            aria-label="Details"
            aria-expanded={open}
            icon={<CaretRightIcon className={`transition-transform ${open ? "rotate-90" : ""}`} size={12} />}
            onClick={() => setOpen(!open)}
          />
        </div>
        {asked && <p className="w-full truncate text-quiet">{asked}</p>}
      </header>
      {run.progress && run.status === "running" && <HelperProgress progress={run.progress} />}
      {reason && <p className="px-3 pb-2.5 text-sm wrap-anywhere text-danger">{reason}</p>}
      {open && <HelperWork run={run} />}
    </section>
  );
});
