import { useEffect, useSyncExternalStore } from "react";
import { conversations, type Entry, nameConversation, watchConversations } from "../conversations";

/** useConversations is the person's list, newest first. */
export function useConversations(): readonly Entry[] {
  return useSyncExternalStore(watchConversations, conversations);
}

/** useListed sees to it that a conversation in which something was said is in the list. */
export function useListed(name: string, beginning: string): void {
  useEffect(() => nameConversation(name, beginning), [name, beginning]);
}
