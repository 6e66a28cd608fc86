import { isToolUIPart } from "ai";
import { fieldsOf } from "./fields";
import type { MessagePart, ToolPart } from "./part";

/** Nested is a part of a message and, if it is a call, the calls that its code has made. */
export interface Nested<P extends MessagePart = MessagePart> {
  part: P;
  /** The part's place in the message. */
  index: number;
  calls: Nested<ToolPart>[];
}

/** callerOf is the id of the call whose code has made a call; empty for a call that a model has made. */
export function callerOf(part: ToolPart): string {
  const { parent } = fieldsOf(fieldsOf(fieldsOf(part).callProviderMetadata).tributary);
  return typeof parent === "string" ? parent : "";
}

/**
 * nest puts each call below the call whose code has made it. A call whose caller is not among the parts before it stays
 * where it is.
 */
export function nest(parts: readonly MessagePart[]): Nested[] {
  const calls = new Map<string, Nested<ToolPart>>();
  const outer: Nested[] = [];
  for (const [index, part] of parts.entries()) {
    if (!isToolUIPart(part)) {
      outer.push({ part, index, calls: [] });
      continue;
    }
    const call: Nested<ToolPart> = { part, index, calls: [] };
    const caller = calls.get(callerOf(part));
    if (caller) caller.calls.push(call);
    else outer.push(call);
    calls.set(part.toolCallId, call);
  }
  return outer;
}

/** isCall says whether a part is a tool call. */
export function isCall(nested: Nested): nested is Nested<ToolPart> {
  return isToolUIPart(nested.part);
}

/** below lists the calls that the code of a call has made, with those that these have made in turn. */
export function below({ calls }: Nested): ToolPart[] {
  return calls.flatMap((call) => [call.part, ...below(call)]);
}
