import { isToolUIPart, type UIMessage } from "ai";

export type MessagePart = UIMessage["parts"][number];

/** isVisible reports whether a part has something to show; `Part` draws exactly these. */
export function isVisible(part: MessagePart): boolean {
  if (part.type === "text") return part.text.trim() !== "";
  return isToolUIPart(part) || milestoneOf(part) !== undefined;
}

/** hasVisiblePart tells a message worth showing from one that has only just begun, or was stopped before it spoke. */
export function hasVisiblePart(message: UIMessage): boolean {
  return message.parts.some(isVisible);
}

/** textOf is what a person typed: the text of a message without anything else in it. */
export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** milestoneOf is the name of the milestone that a part says was reached; undefined for any other part. */
export function milestoneOf(part: MessagePart): string | undefined {
  if (part.type !== "data-agent-milestone") return undefined;
  const { data } = part;
  if (typeof data !== "object" || data === null || !("name" in data)) return undefined;
  return typeof data.name === "string" ? data.name : undefined;
}
