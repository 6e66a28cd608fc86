import { useEffect, useSyncExternalStore } from "react";
import { conversations, type Entry, nameConversation, type Place, watchConversations } from "../conversations";

/** useConversations is the person's list, newest first. */
export function useConversations(): readonly Entry[] {
  return useSyncExternalStore(watchConversations, conversations);
}

/** useListed adds a conversation to the list as soon as it has a first message. */
export function useListed({ name, agent }: Place, beginning: string): void {
  useEffect(() => nameConversation({ name, agent }, beginning), [name, agent, beginning]);
}
