import { FlagIcon } from "@phosphor-icons/react";

/** Milestone marks the point at which a helper reached a milestone. */
export function Milestone({ name }: { name: string }) {
  return (
    <p className="my-2 flex items-center gap-2 text-sm text-river">
      <FlagIcon className="shrink-0" size={14} weight="fill" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">Milestone: </span>
        {name}
      </span>
    </p>
  );
}
