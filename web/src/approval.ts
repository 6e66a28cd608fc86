import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { madeByCode } from "./code";
import { fieldsOf } from "./fields";
import { callerOf } from "./nested";
import { isPendingApproval, type MessagePart, type PendingApproval } from "./part";
import { hiddenIn, preview } from "./preview";
import { type Question, questionOf } from "./question";
import { type Run, runTitle } from "./run";

/** Request is something that waits for a person: a call that needs approval, or a question. */
export interface Request {
  /** The id that the answer carries. */
  id: string;
  /** The helper that asks, by its title; "" for the agent itself. */
  requester: string;
  run: Run | undefined;
  /** Code of the model asks, and not the model itself. */
  code: boolean;
  /** What is asked, if it is no approval. */
  question: Question | undefined;
  tool: string;
  /** The tool's input, in a few words. */
  input: string;
  /** How many characters of the input these words leave out; 0 where an explanation stands in their place. */
  hidden: number;
  explanation: Explanation;
}

/** Explanation is what a tool says of a call that needs approval; its texts are empty where it says nothing. */
export interface Explanation {
  title: string;
  text: string;
  risk: "low" | "medium" | "high" | undefined;
}

/** riskWords names the risks. */
export const riskWords = { low: "low risk", medium: "medium risk", high: "high risk" };

/** explanationOf reads the explanation of a call that waits for approval. */
export function explanationOf({ approval }: PendingApproval): Explanation {
  const { title, text, risk } = fieldsOf("descriptor" in approval ? approval.descriptor : undefined);
  return {
    title: typeof title === "string" ? title : "",
    text: typeof text === "string" ? text : "",
    risk: risk === "low" || risk === "medium" || risk === "high" ? risk : undefined,
  };
}

/** hiddenOf is how many characters of the input are not shown of a call that waits, where nothing explains it. */
export function hiddenOf(part: PendingApproval): number {
  return explanationOf(part).title ? 0 : hiddenIn(part.input);
}

const unexplained: Explanation = { title: "", text: "", risk: undefined };

function requestOf(part: MessagePart, code: boolean, run?: Run): Request[] {
  const requester = run ? runTitle(run) : "";
  const question = questionOf(part);
  if (question)
    return [
      { id: question.id, requester, run, code, question, tool: "", input: "", hidden: 0, explanation: unexplained },
    ];
  if (!isPendingApproval(part)) return [];
  const explanation = explanationOf(part);
  return [
    {
      id: part.approval.id,
      requester,
      run,
      code,
      question,
      tool: getToolName(part),
      input: preview(part.input),
      hidden: hiddenOf(part),
      explanation,
    },
  ];
}

/** requestsAmong lists what waits for a person among the parts of a message, or of a helper's run. */
function requestsAmong(parts: MessagePart[], run?: Run): Request[] {
  const made = madeByCode(parts);
  return parts.flatMap((part) => requestOf(part, made.has(part), run));
}

/** askingCalls are the ids of the calls whose code waits for a person. */
export function askingCalls(messages: UIMessage[]): Set<string> {
  const waiting = messages.flatMap(({ parts }) => parts).filter((part) => isPendingApproval(part) || questionOf(part));
  return new Set(waiting.filter(isToolUIPart).map(callerOf).filter(Boolean));
}

/** requestsOf lists all that waits for a person, the agent's own before that of its helpers. */
export function requestsOf(messages: UIMessage[], runs: Record<string, Run>): Request[] {
  const own = messages.flatMap(({ parts }) => requestsAmong(parts));
  const theirs = Object.values(runs).filter(({ status }) => status === "running");
  return [...own, ...theirs.flatMap((run) => requestsAmong(run.parts, run))];
}

/** askerOf names who asks for approval: the assistant or a helper, or the code of one. */
export function askerOf({ requester, code }: Request): string {
  if (!code) return requester || "The assistant";
  return `Code of ${requester || "the assistant"}`;
}
