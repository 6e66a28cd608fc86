import { isToolUIPart, type UIMessage } from "ai";
import { attachmentName } from "./attachment";
import { fieldsOf } from "./fields";
import type { MessagePart } from "./part";
import { stepOf } from "./step";

/** isVisible reports whether a part has something to show; `Part` draws exactly these parts. */
export function isVisible(part: MessagePart): boolean {
  if (part.type === "text" || part.type === "reasoning") return part.text.trim() !== "";
  return part.type === "file" || isToolUIPart(part) || milestoneOf(part) !== undefined || stepOf(part) !== undefined;
}

/**
 * hasVisiblePart reports whether a message has anything to show. A message that has just begun, or was stopped early,
 * has not.
 */
export function hasVisiblePart(message: UIMessage): boolean {
  return message.parts.some(isVisible);
}

/** textOf is the text of a message, without the text of attached files. */
export function textOf(message: UIMessage): string {
  const said = (part: MessagePart) => part.type === "text" && attachmentName(part) === undefined;
  return message.parts.map((part) => (said(part) && part.type === "text" ? part.text : "")).join("");
}

/**
 * noteOf says what happened to a message that was sent while another was being answered; "" where it was simply
 * answered.
 */
export function noteOf({ metadata }: UIMessage): string {
  const { supersededBy, merged } = fieldsOf(metadata);
  if (typeof supersededBy === "string" && supersededBy !== "") return "Overtaken by a later message";
  return Array.isArray(merged) && merged.length > 0 ? `Made of ${merged.length + 1} messages` : "";
}

/** failureOf says why an answer is not whole; "" of one that is. */
export function failureOf({ metadata }: UIMessage): string {
  const { failure } = fieldsOf(metadata);
  return typeof failure === "string" ? failure : "";
}

/** titleOf is the first message of a conversation on one line; "" where there is none. */
export function titleOf(messages: UIMessage[]): string {
  const first = messages.find(({ role }) => role === "user");
  return first ? textOf(first).replaceAll(/\s+/g, " ").trim() || "Attachments" : "";
}

/** milestoneOf is the name of the milestone that a part announces; undefined for any other part. */
export function milestoneOf(part: MessagePart): string | undefined {
  if (part.type !== "data-agent-milestone") return undefined;
  const { name } = fieldsOf(part.data);
  return typeof name === "string" ? name : undefined;
}
