import { FlagIcon } from "@phosphor-icons/react";
import type { Run } from "../run";

/** HelperMilestones lists the milestones that a run has reached, in order. */
export function HelperMilestones({ milestones = [] }: Pick<Run, "milestones">) {
  if (milestones.length === 0) return null;
  return (
    <ol aria-label="Milestones" className="flex flex-wrap gap-1.5 px-3 pb-2.5 text-xs">
      {milestones.map(({ sequence, name }) => (
        <li key={sequence} className="flex items-center gap-1 rounded-full bg-note px-2 py-0.5">
          <FlagIcon className="text-river" size={11} weight="fill" aria-hidden="true" />
          {name}
        </li>
      ))}
    </ol>
  );
}
