import type { UIMessage } from "ai";

/**
 * posted selects the messages that a request has to carry: the new ones at the end of the list, and the message before them
 * without its parts. The client would post the whole list, but the server reads only these.
 */
export function posted(messages: UIMessage[]): UIMessage[] {
  const before = messages.findLastIndex((message) => message.role !== "user");
  return messages
    .slice(Math.max(before, 0))
    .map((message) => (message.role === "user" ? message : { ...message, parts: [] }));
}
