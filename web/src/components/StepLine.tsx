import { ArrowClockwiseIcon, CheckIcon, CircleDashedIcon, WarningIcon } from "@phosphor-icons/react";
import { elapsed } from "../elapsed";
import { useNow } from "../hooks/useNow";
import { type Step, stepState } from "../step";
import { toneTextColors } from "../tone";
import { StateWord } from "./StateWord";

const icons = { running: CircleDashedIcon, waiting: ArrowClockwiseIcon, completed: CheckIcon, failed: WarningIcon };

/** StepLine shows one step of a program: its name, its attempts, and what the last one that failed has said. */
export function StepLine({ step, live }: { step: Step; live: boolean }) {
  const { word, tone } = stepState(step, live);
  const Icon = icons[step.state];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label={`Step ${step.name}`} className="my-1.5 text-sm">
      <p className="flex items-center gap-2">
        <Icon className={`shrink-0 ${toneTextColors[tone]}`} size={14} aria-hidden="true" />
        <span className="min-w-0 grow wrap-anywhere">{step.name}</span>
        <StateWord word={word} tone={tone} />
      </p>
      {step.error && step.state !== "completed" && (
        <p className={`pl-5.5 text-xs leading-snug wrap-anywhere ${toneTextColors[tone]}`}>{step.error}</p>
      )}
      {live && step.state === "waiting" && <NextAttempt at={step.retryAt} />}
    </div>
  );
}

/** NextAttempt counts down to the next attempt. */
function NextAttempt({ at }: { at: number }) {
  const now = useNow(true);
  if (at <= now) return null;
  return <p className="pl-5.5 text-xs text-quiet tabular-nums">again in {elapsed(at - now)}</p>;
}
