import { Button } from "@cloudflare/kumo/components/button";
import { PauseIcon, PlayIcon, SidebarSimpleIcon, StopIcon, XIcon } from "@phosphor-icons/react";
import { memo, use, useState } from "react";
import { HelpersContext } from "../helpers";
import { preview } from "../preview";
import { type Run, runLabel, runState, runTitle } from "../run";
import { stepSummary, stepsOf } from "../step";
import { Caret } from "./Caret";
import { HelperEnd } from "./HelperEnd";
import { HelperFacts } from "./HelperFacts";
import { HelperIcon } from "./HelperIcon";
import { HelperLabels } from "./HelperLabels";
import { HelperMilestones } from "./HelperMilestones";
import { HelperWork } from "./HelperWork";
import { Progress } from "./Progress";
import { RunAgain } from "./RunAgain";
import { StateWord } from "./StateWord";

interface HelperPanelProps {
  run: Run;
  /** Whether the run's work is shown from the start. */
  expanded: boolean;
  /** The panel has no border of its own, because a list surrounds it. */
  flat?: boolean;
  /** Deletes the run; absent where the panel belongs to an answer. */
  onRemove?: ((run: Run) => void) | undefined;
}

/** HelperPanel shows one helper's run: its title, its state, and its work while it grows. */
export const HelperPanel = memo(function HelperPanel({ run, expanded, flat = false, onRemove }: HelperPanelProps) {
  const [open, setOpen] = useState(expanded);
  const helpers = use(HelpersContext);
  const input = preview(run.inputPreview);
  const deleted = helpers.deleted.includes(run.runId);
  const running = run.status === "running" && !deleted;
  const info = helpers.infos[run.runId];
  const steps = running ? stepSummary(stepsOf(run.parts)) : "";

  return (
    <section aria-label={runLabel(run)} className={`min-w-0 ${flat ? "" : "rounded-xl border border-line bg-surface"}`}>
      <header className="py-1.5 pr-1.5 pl-3 text-sm">
        <div className="flex items-center gap-2">
          <HelperIcon name={run.display?.icon} />
          <h2 className="min-w-0 truncate font-medium">{runTitle(run)}</h2>
          <output className="ml-auto">
            <StateWord {...runState(run, info)} />
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
        {input && (
          <p className="truncate pr-2 text-quiet" title={input}>
            {input}
          </p>
        )}
        <div className="flex min-h-7 flex-wrap items-center gap-x-1">
          <HelperFacts run={run} info={info} />
          <span className="grow" />
          {running && onRemove && helpers.pause && info && (
            <Button
              size="sm"
              variant="ghost"
              icon={info.paused ? <PlayIcon size={13} /> : <PauseIcon size={13} />}
              onClick={() => helpers.pause?.(run, !info.paused)}
            >
              {info.paused ? "Resume" : "Pause"}
            </Button>
          )}
          {running && helpers.cancel && (
            <Button size="sm" variant="ghost" icon={<StopIcon size={13} />} onClick={() => helpers.cancel?.(run)}>
              Cancel
            </Button>
          )}
          {!running && !deleted && onRemove && helpers.restart && info && (
            <RunAgain run={run} onRestart={helpers.restart} />
          )}
          {!running && onRemove && (
            <Button size="sm" variant="ghost" icon={<XIcon size={13} />} onClick={() => onRemove(run)}>
              Remove
            </Button>
          )}
          {helpers.open && !deleted && (
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
      {info && <HelperLabels info={info} />}
      {steps && <p className="truncate px-3 pb-2.5 text-xs text-quiet">{steps}</p>}
      {run.progress && running && <Progress progress={run.progress} />}
      <HelperMilestones milestones={run.milestones} />
      <HelperEnd run={run} deleted={deleted} />
      {open && <HelperWork run={run} />}
    </section>
  );
});
