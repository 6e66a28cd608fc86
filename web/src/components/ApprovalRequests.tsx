import { Button } from "@cloudflare/kumo/components/button";
import { HandPalmIcon, QuestionIcon } from "@phosphor-icons/react";
import { use } from "react";
import { askerOf, type Request, riskWords } from "../approval";
import { HelpersContext } from "../helpers";
import { ApprovalButtons } from "./Approval";
import { Explained, HiddenInput } from "./Explained";
import { QuestionAnswer, QuestionWords } from "./Question";
import { Risk } from "./Risk";

/** ApprovalRequests lists all that waits for a person, always in view. */
export function ApprovalRequests({ requests }: { requests: Request[] }) {
  const { answer, answerHelper, open } = use(HelpersContext);
  if (requests.length === 0) return null;
  return (
    <section aria-label="Waiting for approval" className="mx-auto w-full max-w-184 px-4 sm:px-6">
      <ul className="appear max-h-[45dvh] divide-y divide-line overflow-y-auto overscroll-contain rounded-xl border border-caution/50 bg-surface shadow-sm">
        {requests.map((request) => {
          const { id, run, question } = request;
          const answers = run ? answerHelper : answer;
          const Icon = question ? QuestionIcon : HandPalmIcon;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3 text-sm">
              <Icon className="shrink-0 text-caution" size={16} aria-hidden="true" />
              {question ? <QuestionWords question={question} /> : <Wish request={request} />}
              {run && open && (
                <Button size="sm" variant="ghost" onClick={() => open(run)}>
                  Look
                </Button>
              )}
              {answers && question && <QuestionAnswer question={question} answers={answers} />}
              {answers && !question && (
                <ApprovalButtons onAnswer={(approved, reason) => answers.decide(id, approved, reason)} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Wish says what waits for approval, and who asks. */
function Wish({ request }: { request: Request }) {
  const { tool, input, hidden, explanation } = request;
  const { title, text, risk } = explanation;
  const asks = `${askerOf(request)} asks`;
  return (
    <div className="min-w-40 grow basis-0 wrap-anywhere">
      {title ? (
        <p>
          {asks}: <span className="font-medium">{title}</span> {risk && <Risk word={riskWords[risk]} risk={risk} />}
        </p>
      ) : (
        <p>
          {asks}: may <span className="font-mono text-[0.9em]">{tool}</span> be used{input && ` on “${input}”`}?
        </p>
      )}
      {text && <Explained text={text} lines={4} />}
      {hidden > 0 && <HiddenInput hidden={hidden} />}
    </div>
  );
}
