import type { Answers } from "../helpers";
import type { Question } from "../question";
import { ApprovalButtons } from "./Approval";
import { QuestionForm } from "./QuestionForm";

/** QuestionWords says what is asked. */
export function QuestionWords({ question: { title, text, link } }: { question: Question }) {
  return (
    <div className="min-w-40 grow basis-0 wrap-anywhere">
      <p className={text && title ? "font-medium" : ""}>{title || text}</p>
      {title && text && <p className="whitespace-pre-line text-quiet">{text}</p>}
      {link && (
        <a className="font-mono text-xs text-river underline" href={link} target="_blank" rel="noreferrer">
          {link}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
    </div>
  );
}

/** QuestionAnswer is what answers a question: two buttons, or a form. */
export function QuestionAnswer({ question: { id, form }, answers }: { question: Question; answers: Answers }) {
  if (!form) return <ApprovalButtons no="No" yes="Yes" onAnswer={(yes, why) => answers.decide(id, yes, why)} />;
  return (
    <QuestionForm
      form={form}
      onAnswer={(answer) => answers.enter(id, answer)}
      onDeny={() => answers.decide(id, false)}
    />
  );
}
