import { type Phase, phaseLooks } from "../phase";
import { toneDots } from "../tone";

/** ConnectionStatus says in one word how the connection to the agent is. */
export function ConnectionStatus({ phase, label }: { phase: Phase; label: string | undefined }) {
  const { word, tone } = phaseLooks[phase];
  return (
    <output aria-label={label} className="flex items-center gap-2 px-2 text-sm text-quiet">
      <span aria-hidden="true" className={`size-2 rounded-full ${toneDots[tone]}`} />
      {word}
    </output>
  );
}
