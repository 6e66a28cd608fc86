import { type Phase, phaseLabels } from "../phase";
import { toneDotColors } from "../tone";

/** ConnectionStatus names the phase of the connection in one word. On a narrow page a dot says that all is well. */
export function ConnectionStatus({ phase, label }: { phase: Phase; label: string | undefined }) {
  const { word, tone } = phaseLabels[phase];
  return (
    <output aria-label={label} className="flex items-center gap-2 px-2 text-sm text-quiet">
      <span aria-hidden="true" className={`size-2 rounded-full ${toneDotColors[tone]}`} />
      <span className={phase === "connected" ? "max-sm:sr-only" : ""}>{word}</span>
    </output>
  );
}
