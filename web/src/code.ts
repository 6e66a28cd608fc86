import { getToolName } from "ai";
import { callState } from "./callstate";
import { fieldsOf } from "./fields";
import { below, isCall, type Nested, nest } from "./nested";
import type { MessagePart, ToolPart } from "./part";
import type { ToolState } from "./tool";

/** The name of the tool that runs code of the model. */
const codeTool = "code";

/** codeOf is the code that a call runs; undefined for the call of another tool, or of one that only has its name. */
export function codeOf(part: ToolPart): string | undefined {
  if (getToolName(part) !== codeTool) return undefined;
  const { code } = fieldsOf(part.input);
  return typeof code === "string" ? code : undefined;
}

/** madeByCode lists the calls that code of the model has made, and those that these have made in turn. */
export function madeByCode(parts: readonly MessagePart[]): ReadonlySet<MessagePart> {
  const code = nest(parts).filter((nested) => isCall(nested) && codeOf(nested.part) !== undefined);
  return new Set(code.flatMap(below));
}

/** Outcome is what has come of code. */
export interface Outcome {
  status: "completed" | "failed";
  /** The value that the code has returned, or undefined if there is none. */
  result: unknown;
  /** The lines that it has written. */
  logs: string[];
  /** Why it failed; empty if it did not. */
  error: string;
}

/** outcomeOf reads the output of a call that runs code; undefined while there is none, or for one of another form. */
export function outcomeOf(part: ToolPart): Outcome | undefined {
  if (part.state !== "output-available" || part.preliminary) return undefined;
  const { status, result, logs, error } = fieldsOf(part.output);
  if (status !== "completed" && status !== "failed") return undefined;
  const lines = Array.isArray(logs) ? logs.map((line) => (typeof line === "string" ? line : JSON.stringify(line))) : [];
  return { status, result, logs: lines, error: status === "failed" ? wordsOf(error) : "" };
}

function wordsOf(error: unknown): string {
  return typeof error === "string" && error !== "" ? error : "the code failed";
}

/** codeState describes a call that runs code. The parameters are those of `callState`. */
export function codeState(call: Nested<ToolPart>, live: boolean, openCallState?: ToolState): ToolState {
  const outcome = outcomeOf(call.part);
  if (outcome?.status === "completed") return { word: "completed", tone: "calm" };
  if (outcome) return { word: "failed", tone: "danger", reason: outcome.error };
  return callState(call, live, openCallState);
}

/** How much of a value is shown, in characters. */
const most = 20_000;

/** pretty is a value as text, with line breaks and at most so long that it can be shown. */
export function pretty(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  if (text === undefined || text.length <= most) return text ?? "";
  return `${text.slice(0, most)}\n… ${(text.length - most).toLocaleString("en")} more characters`;
}
