import type { UIMessage } from "ai";

export type MessagePart = UIMessage["parts"][number];

/** isVisible reports whether a part has something to show; `Part` draws exactly these. */
export function isVisible(part: MessagePart): boolean {
  return part.type === "text" && part.text.trim() !== "";
}

/** hasVisiblePart tells a message worth showing from one that has only just begun, or was stopped before it spoke. */
export function hasVisiblePart(message: UIMessage): boolean {
  return message.parts.some(isVisible);
}

/** textOf is what a person typed: the text of a message without anything else in it. */
export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
