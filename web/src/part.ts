import { type DynamicToolUIPart, isToolUIPart, type ToolUIPart, type UIMessage } from "ai";

/** MessagePart is one part of a message: a text, a file, a tool call and so on. */
export type MessagePart = UIMessage["parts"][number];

/** ToolPart is a tool call. */
export type ToolPart = ToolUIPart | DynamicToolUIPart;

/** PendingApproval is a tool call that waits for a person's approval. */
export type PendingApproval = ToolPart & { state: "approval-requested" };

/** isPendingApproval says whether a part is a tool call that waits for approval. */
export function isPendingApproval(part: MessagePart): part is PendingApproval {
  return isToolUIPart(part) && part.state === "approval-requested";
}
