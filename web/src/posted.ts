import type { UIMessage } from "ai";

/**
 * posted is what a request has to hold of the list: what is new at its end, and whose message stands before that. The
 * client would post all of the list, and the server looks at no more.
 */
export function posted(messages: UIMessage[]): UIMessage[] {
  const before = messages.findLastIndex((message) => message.role !== "user");
  return messages
    .slice(Math.max(before, 0))
    .map((message) => (message.role === "user" ? message : { ...message, parts: [] }));
}
