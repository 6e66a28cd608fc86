import type { UIMessage } from "ai";
import type { Attachment } from "./attachment";

/** SentMessage is the message that the person sent last, as it was written. */
export interface SentMessage {
  /** The message's id. */
  id: string;
  text: string;
  attachments: Attachment[];
}

/**
 * rejectedOf is the sent message if the server rejected it: its turn failed, and the server's list does not have it.
 */
export function rejectedOf(
  sent: SentMessage | undefined,
  messages: UIMessage[],
  failed: boolean,
): SentMessage | undefined {
  return failed && sent && !messages.some(({ id }) => id === sent.id) ? sent : undefined;
}
