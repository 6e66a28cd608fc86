import type { UIMessage } from "ai";
import type { Attachment } from "./attachment";

/** Asked is what a person has asked last, as it was written. */
export interface Asked {
  /** The id of its message. */
  id: string;
  text: string;
  attachments: Attachment[];
}

/** returnedOf is a question that the server refused: its turn has failed, and its message is not in the server's list. */
export function returnedOf(asked: Asked | undefined, messages: UIMessage[], failed: boolean): Asked | undefined {
  return failed && asked && !messages.some(({ id }) => id === asked.id) ? asked : undefined;
}
