import { isToolUIPart, type UIMessage } from "ai";
import { attachmentName } from "./attachment";

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

/** titleOf is what a conversation began with, on one line; "" before it has. */
export function titleOf(messages: UIMessage[]): string {
  const first = messages.find(({ role }) => role === "user");
  return first ? textOf(first).replaceAll(/\s+/g, " ").trim() || "Attachments" : "";
}

/** milestoneOf is the name of the milestone that a part says was reached; undefined for any other part. */
export function milestoneOf(part: MessagePart): string | undefined {
  if (part.type !== "data-agent-milestone") return undefined;
  const { data } = part;
  if (typeof data !== "object" || data === null || !("name" in data)) return undefined;
  return typeof data.name === "string" ? data.name : undefined;
}
