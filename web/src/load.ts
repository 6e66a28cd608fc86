import { getAgentMessages } from "@cloudflare/ai-chat/react";
import type { UIMessage } from "ai";

/** How long the page waits for the messages before it is drawn without them, in milliseconds. */
const timeout = 8000;

/**
 * loadMessages asks the server for the messages. A failure or a timeout gives an empty list instead of an error, because the
 * server sends the transcript after every (re)connection.
 */
export function loadMessages({ url }: { url?: string }): Promise<UIMessage[]> {
  if (!url) return Promise.resolve([]);
  const endpoint = new URL(url);
  endpoint.pathname += "/get-messages";
  const late = new Promise<UIMessage[]>((resolve) => setTimeout(resolve, timeout, []));
  return Promise.race([getAgentMessages({ url: endpoint.href }), late]);
}
