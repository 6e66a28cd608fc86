import { Button } from "@cloudflare/kumo/components/button";
import { ArrowClockwiseIcon } from "@phosphor-icons/react";
import { useState } from "react";
import type { Run } from "../run";
import { stepsOf } from "../step";

interface RunAgainProps {
  run: Run;
  onRestart: (run: Run, from?: string) => void;
}

/** RunAgain runs the work of a run again, from its beginning or from one of its steps. */
export function RunAgain({ run, onRestart }: RunAgainProps) {
  const steps = stepsOf(run.parts).map(({ name }) => name);
  const [from, setFrom] = useState("");
  return (
    <span className="flex items-center">
      <Button
        size="sm"
        variant="ghost"
        icon={<ArrowClockwiseIcon size={13} />}
        onClick={() => onRestart(run, from || undefined)}
      >
        Run again
      </Button>
      {steps.length > 0 && (
        <select
          aria-label="From which step"
          className="entry max-w-40 text-xs"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        >
          <option value="">from the start</option>
          {steps.map((name) => (
            <option key={name} value={name}>
              from {name}
            </option>
          ))}
        </select>
      )}
    </span>
  );
}
