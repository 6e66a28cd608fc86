import { CaretRightIcon } from "@phosphor-icons/react";
import { count } from "../calls";
import type { Offered } from "../servers";

interface OfferedListProps {
  /** What they are: `tool`, `prompt` or `resource`. */
  kind: string;
  offered: Offered[];
}

/** OfferedList counts what a server offers of a kind, and lists it on request. */
export function OfferedList({ kind, offered }: OfferedListProps) {
  if (offered.length === 0) return null;
  const changed = offered.filter((one) => one.changed).length;
  return (
    <details className="disclosure">
      <summary className="flex items-center gap-1.5 rounded-lg py-0.5">
        <CaretRightIcon className="caret shrink-0 text-quiet" size={12} aria-hidden="true" />
        {count(offered.length, kind)}
        {changed > 0 && <span className="text-caution-ink">, {changed} changed</span>}
      </summary>
      <ul aria-label={`${kind}s`} className="mt-1 mb-2 ml-4.5 flex flex-col gap-1.5">
        {offered.map(({ name, description, changed, adjusted }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-mono text-xs">{name}</span>
            {changed && (
              <span className="ml-2 rounded-full border border-caution/60 px-1.5 text-xs text-caution-ink">
                changed
              </span>
            )}
            {description && <p className="line-clamp-4 leading-snug text-quiet">{description}</p>}
            {adjusted.length > 0 && (
              <p className="line-clamp-4 text-xs leading-snug text-quiet">For the model: {adjusted.join("; ")}.</p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
