import { CaretRightIcon, WrenchIcon } from "@phosphor-icons/react";
import { getToolName } from "ai";
import { type ReactNode, use } from "react";
import { explanationOf, hiddenOf } from "../approval";
import { CallProgressContext } from "../callprogress";
import { callState, waitingForPerson } from "../callstate";
import { HelpersContext } from "../helpers";
import type { Nested } from "../nested";
import { isPendingApproval, type ToolPart } from "../part";
import { preview } from "../preview";
import { askedOf, questionOf } from "../question";
import { toneTextColors } from "../tone";
import { Approval } from "./Approval";
import { Elapsed } from "./Elapsed";
import { Json } from "./Json";
import { Progress } from "./Progress";
import { QuestionAnswer, QuestionWords } from "./Question";
import { StateWord } from "./StateWord";

interface ToolCardProps {
  call: Nested<ToolPart>;
  /** Its turn or run is active. */
  live: boolean;
  /** Shows for how long it has been seen to run. */
  timed: boolean;
  /** The cards of the calls that the tool's own code has made. */
  children: ReactNode;
}

/** ToolCard shows a tool call on one line, its input and output on request, and the helpers that it started below. */
export function ToolCard({ call, live, timed, children }: ToolCardProps) {
  const { part } = call;
  const { runs, answer, asking, openCallState } = use(HelpersContext);
  const progress = use(CallProgressContext)[part.toolCallId];
  const name = getToolName(part);
  const question = questionOf(part);
  // An open question is shown below in full.
  const input = question ? "" : askedOf(part) || preview(part.input);
  const waits = !openCallState && asking.has(part.toolCallId);
  const { word, tone, reason } = waits ? waitingForPerson : callState(call, live, openCallState);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div role="group" aria-label={`Tool ${name}`} className="my-4 flex flex-col gap-3 first:mt-1">
      <div className="@container rounded-xl border border-line text-sm">
        <details className="disclosure">
          <summary className="flex flex-wrap items-center gap-x-2 gap-y-0.5 rounded-xl px-3 py-2">
            <WrenchIcon className="shrink-0 text-quiet" size={14} aria-hidden="true" />
            <span className="font-mono text-xs">{name}</span>
            <span className="min-w-0 grow basis-0 truncate text-quiet empty:hidden @max-sm:order-last @max-sm:basis-full">
              {input && `“${input}”`}
            </span>
            <span className="ml-auto flex items-center gap-2">
              <StateWord word={word} tone={tone} />
              {timed && tone === "live" && <Elapsed />}
              <CaretRightIcon className="caret shrink-0 text-quiet" size={12} aria-hidden="true" />
            </span>
          </summary>
          <div className="px-3 pb-3">
            <Json title="Input" value={part.input} />
            <Json title="Output" value={part.output} />
          </div>
        </details>
        {progress && tone === "live" && <Progress progress={progress} />}
        {reason && <p className={`px-3 pb-2.5 wrap-anywhere ${toneTextColors[tone]}`}>{reason}</p>}
        {question && (
          <div className="flex flex-wrap items-center gap-2 px-3 pb-3">
            <QuestionWords question={question} />
            {answer && <QuestionAnswer question={question} answers={answer} />}
          </div>
        )}
        {!question && isPendingApproval(part) && answer && (
          <Approval
            tool={name}
            explanation={explanationOf(part)}
            hidden={hiddenOf(part)}
            onAnswer={(approved, reason) => answer.decide(part.approval.id, approved, reason)}
          />
        )}
      </div>
      {runs(part.toolCallId)}
      {children}
    </div>
  );
}
