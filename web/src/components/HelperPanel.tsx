import { Button } from "@cloudflare/kumo/components/button";
import { SidebarSimpleIcon, StopIcon, XIcon } from "@phosphor-icons/react";
import { memo, use, useState } from "react";
import { HelpersContext } from "../helpers";
import { preview } from "../preview";
import { type Run, runLabel, runState, runTitle } from "../run";
import { Caret } from "./Caret";
import { HelperEnd } from "./HelperEnd";
import { HelperFacts } from "./HelperFacts";
import { HelperIcon } from "./HelperIcon";
import { HelperMilestones } from "./HelperMilestones";
import { HelperProgress } from "./HelperProgress";
import { HelperWork } from "./HelperWork";
import { StateWord } from "./StateWord";

interface HelperPanelProps {
  run: Run;
  /** Whether its work is in view from the start. */
  expanded: boolean;
  /** It stands in a box that others share. */
  flat?: boolean;
  /** Takes the panel away for good; absent where it belongs to an answer. */
  onRemove?: ((run: Run) => void) | undefined;
}

/** HelperPanel is one helper's run: who it is, how it stands, and its work while it grows. */
export const HelperPanel = memo(function HelperPanel({ run, expanded, flat = false, onRemove }: HelperPanelProps) {
  const [open, setOpen] = useState(expanded);
  const helpers = use(HelpersContext);
  const asked = preview(run.inputPreview);
  const gone = helpers.gone.includes(run.runId);
  const running = run.status === "running" && !gone;

  return (
    <section aria-label={runLabel(run)} className={`min-w-0 ${flat ? "" : "rounded-xl border border-line bg-surface"}`}>
      <header className="py-1.5 pr-1.5 pl-3 text-sm">
        <div className="flex items-center gap-2">
          <HelperIcon name={run.display?.icon} />
          <h2 className="min-w-0 truncate font-medium">{runTitle(run)}</h2>
          <output className="ml-auto">
            <StateWord {...runState(run)} />
          </output>
          <Button
            size="sm"
            shape="square"
            variant="ghost"
            aria-label="Details"
            aria-expanded={open}
            icon={<Caret open={open} />}
            onClick={() => setOpen(!open)}
          />
        </div>
        {asked && (
          <p className="truncate pr-2 text-quiet" title={asked}>
            {asked}
          </p>
        )}
        <div className="flex min-h-7 items-center gap-1">
          <HelperFacts run={run} info={helpers.infos[run.runId]} />
          <span className="grow" />
          {running && helpers.cancel && (
            <Button size="sm" variant="ghost" icon={<StopIcon size={13} />} onClick={() => helpers.cancel?.(run)}>
              Cancel
            </Button>
          )}
          {!running && onRemove && (
            <Button size="sm" variant="ghost" icon={<XIcon size={13} />} onClick={() => onRemove(run)}>
              Remove
            </Button>
          )}
          {helpers.open && !gone && (
            <Button
              size="sm"
              variant="ghost"
              icon={<SidebarSimpleIcon className="-scale-x-100" size={14} />}
              onClick={() => helpers.open?.(run)}
            >
              Open
            </Button>
          )}
        </div>
      </header>
      {run.progress && running && <HelperProgress progress={run.progress} />}
      <HelperMilestones milestones={run.milestones} />
      <HelperEnd run={run} gone={gone} />
      {open && <HelperWork run={run} />}
    </section>
  );
});
