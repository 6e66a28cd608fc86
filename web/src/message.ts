import { isToolUIPart, type UIMessage } from "ai";
import { attachmentName } from "./attachment";
import { fieldsOf } from "./fields";

export type MessagePart = UIMessage["parts"][number];

/** isVisible reports whether a part has something to show; `Part` draws exactly these. */
export function isVisible(part: MessagePart): boolean {
  if (part.type === "text" || part.type === "reasoning") return part.text.trim() !== "";
  return part.type === "file" || isToolUIPart(part) || milestoneOf(part) !== undefined;
}

/** hasVisiblePart tells a message worth showing from one that has only just begun, or was stopped before it spoke. */
export function hasVisiblePart(message: UIMessage): boolean {
  return message.parts.some(isVisible);
}

/** textOf is what was said: the text of a message without anything else in it, such as the text of a file. */
export function textOf(message: UIMessage): string {
  const said = (part: MessagePart) => part.type === "text" && attachmentName(part) === undefined;
  return message.parts.map((part) => (said(part) && part.type === "text" ? part.text : "")).join("");
}

/** noteOf says what became of a question that came while an answer was under way; "" where it was simply answered. */
export function noteOf({ metadata }: UIMessage): string {
  const { supersededBy, merged } = fieldsOf(metadata);
  if (typeof supersededBy === "string" && supersededBy !== "") return "Overtaken by a later message";
  return Array.isArray(merged) && merged.length > 0 ? `Made of ${merged.length + 1} messages` : "";
}

/** titleOf is what a conversation began with, on one line; "" before it has. */
export function titleOf(messages: UIMessage[]): string {
  const first = messages.find(({ role }) => role === "user");
  return first ? textOf(first).replaceAll(/\s+/g, " ").trim() || "Attachments" : "";
}

/** milestoneOf is the name of the milestone that a part says was reached; undefined for any other part. */
export function milestoneOf(part: MessagePart): string | undefined {
  if (part.type !== "data-agent-milestone") return undefined;
  const { name } = fieldsOf(part.data);
  return typeof name === "string" ? name : undefined;
}
