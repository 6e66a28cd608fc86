import { getAgentMessages } from "@cloudflare/ai-chat/react";
import type { UIMessage } from "ai";

/** How long the page waits for the messages before it is drawn without, in milliseconds. */
const patience = 8000;

/**
 * loadMessages asks for the messages as the server has them. A failure, or a server that is slow to answer, gives an
 * empty list instead of an error, because the transcript that follows every (re)connection fills it in.
 */
export function loadMessages({ url }: { url?: string }): Promise<UIMessage[]> {
  if (!url) return Promise.resolve([]);
  const endpoint = new URL(url);
  endpoint.pathname += "/get-messages";
  const late = new Promise<UIMessage[]>((resolve) => setTimeout(resolve, patience, []));
  return Promise.race([getAgentMessages({ url: endpoint.href }), late]);
}
