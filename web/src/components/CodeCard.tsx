import { Button } from "@cloudflare/kumo/components/button";
import { CodeIcon } from "@phosphor-icons/react";
import { type ReactNode, use, useState } from "react";
import { explanationOf, hiddenOf } from "../approval";
import { callsSummary } from "../calls";
import { callStates } from "../callstate";
import { codeState, outcomeOf } from "../code";
import { errorLine, linesOf } from "../codelines";
import { HelpersContext } from "../helpers";
import type { Nested } from "../nested";
import { isPendingApproval, type ToolPart } from "../part";
import { toneTextColors } from "../tone";
import { Approval } from "./Approval";
import { Caret } from "./Caret";
import { CodeLines } from "./CodeLines";
import { CodeOutcome } from "./CodeOutcome";
import { CopyButton } from "./CopyButton";
import { Elapsed } from "./Elapsed";
import { StateWord } from "./StateWord";

interface CodeCardProps {
  call: Nested<ToolPart>;
  code: string;
  /** Its turn or run is active. */
  live: boolean;
  /** The cards of the calls. */
  children: ReactNode;
}

/** CodeCard shows code of a model: its lines, the calls that it makes beside or below them, and what has come of it. */
export function CodeCard({ call, code, live, children }: CodeCardProps) {
  const { part } = call;
  const [open, setOpen] = useState(true);
  const { answer, openCallState } = use(HelpersContext);
  const { word, tone, reason } = codeState(call, live, openCallState);
  const outcome = outcomeOf(part);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div
      role="group"
      aria-label="Tool code"
      className="@container my-4 rounded-xl border border-line text-sm first:mt-1"
    >
      <header className="flex flex-wrap items-center gap-x-2 py-1 pr-1.5 pl-3">
        <CodeIcon className="shrink-0 text-quiet" size={14} aria-hidden="true" />
        <span className="font-mono text-xs">code</span>
        <span className="min-w-0 grow basis-0 truncate text-quiet empty:hidden @max-sm:order-last @max-sm:basis-full">
          {callsSummary(callStates(call, live, openCallState))}
        </span>
        <output className="ml-auto">
          <StateWord word={word} tone={tone} />
        </output>
        {tone === "live" && <Elapsed />}
        <span className="flex">
          <CopyButton text={code} label="Copy code" />
          <Button
            size="sm"
            shape="square"
            variant="ghost"
            aria-label="Details"
            aria-expanded={open}
            icon={<Caret open={open} />}
            onClick={() => setOpen(!open)}
          />
        </span>
      </header>
      <div hidden={!open} className="px-3 pb-3">
        <div className={`grid items-start gap-x-4 gap-y-3 ${children ? "@xl:grid-cols-[3fr_2fr]" : ""}`}>
          <CodeLines code={code} failed={errorLine(reason, linesOf(code).length)} />
          {children}
        </div>
        {outcome && <CodeOutcome outcome={outcome} />}
      </div>
      {reason && <p className={`px-3 pb-2.5 wrap-anywhere ${toneTextColors[tone]}`}>{reason}</p>}
      {isPendingApproval(part) && answer && (
        <Approval
          tool="code"
          explanation={explanationOf(part)}
          hidden={open ? 0 : hiddenOf(part)}
          onAnswer={(approved, reason) => answer.decide(part.approval.id, approved, reason)}
        />
      )}
    </div>
  );
}
