import { CaretRightIcon } from "@phosphor-icons/react";
import { count } from "../calls";
import type { LeftOut } from "../servers";

interface LeftOutListProps {
  tools: LeftOut[];
}

/** LeftOutList counts the tools of a server that are not used, and says why on request. */
export function LeftOutList({ tools }: LeftOutListProps) {
  if (tools.length === 0) return null;
  return (
    <details className="disclosure">
      <summary className="flex items-center gap-1.5 rounded-lg py-0.5 text-caution-ink">
        <CaretRightIcon className="caret shrink-0 text-quiet" size={12} aria-hidden="true" />
        {count(tools.length, "tool")} left out
      </summary>
      <ul aria-label="tools that are left out" className="mt-1 mb-2 ml-4.5 flex flex-col gap-1.5">
        {tools.map(({ name, reason }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two such tools can have one name, and the list is never reordered
          <li key={place} className="wrap-anywhere">
            <span className="font-mono text-xs">{name || "(no name)"}</span>
            <p className="leading-snug text-quiet">{reason}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
