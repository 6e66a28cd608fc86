import type { RunInfo } from "../runinfo";

/** HelperLabels shows a run's labels, and the run that it repeats. */
export function HelperLabels({ info: { labels, restartOf, restartedAs } }: { info: RunInfo }) {
  const words = Object.entries(labels).map(([key, value]) => (value ? `${key}: ${value}` : key));
  if (restartOf) words.push(`repeats ${restartOf}`);
  if (restartedAs) words.push(`repeated by ${restartedAs}`);
  if (words.length === 0) return null;
  return (
    <ul aria-label="Labels" className="flex flex-wrap gap-1.5 px-3 pb-2.5 text-xs text-quiet">
      {words.map((label) => (
        <li key={label} className="max-w-full truncate rounded-full bg-note px-2 py-0.5" title={label}>
          {label}
        </li>
      ))}
    </ul>
  );
}
