// A tab: the published hooks in a component, as an application would use them.

import { useAgentChat } from "@cloudflare/ai-chat/react";
import { act, renderHook, waitFor } from "@testing-library/react";
import { useAgent } from "agents/react";
import type { UIMessage } from "ai";
import { createElement, type PropsWithChildren, Suspense } from "react";
import { expect, inject } from "vitest";

export const url = inject("url");
const patience = { timeout: 20_000 };

export interface TurnEnd {
  requestId: string;
  outcome: string;
}

/** What an application may ask of a tab besides: a helper's conversation, or more of the chat hook's options. */
export interface TabOptions {
  sub?: { agent: string; name: string }[];
  chat?: Omit<Parameters<typeof useAgentChat>[0], "agent" | "onTurnEnd">;
}

/** What a component of an application would do. */
function useTab(name: string, ends: TurnEnd[], { sub, chat: more }: TabOptions) {
  const agent = useAgent<{ n: number }>({ agent: "Assistant", name, host: url, ...(sub && { sub }) });
  const chat = useAgentChat({ ...more, agent, onTurnEnd: (end) => void ends.push(end) });
  return { agent, chat };
}

/** Opens a conversation in a tab of its own. */
export async function open(name: string, options: TabOptions = {}) {
  const ends: TurnEnd[] = [];
  const inSuspense = ({ children }: PropsWithChildren) => createElement(Suspense, { fallback: null }, children);
  // The chat suspends until it has the stored messages; React wants that waited for.
  const { result, unmount } = await act(async () =>
    renderHook(() => useTab(name, ends, options), { wrapper: inSuspense }),
  );
  await waitFor(() => expect(result.current?.agent.identified).toBe(true), patience);
  const now = () => result.current;
  return {
    now,
    ends,
    unmount,
    text: () => now().chat.messages.map(textOf),
    roles: () => now().chat.messages.map((m) => m.role),
    /** Sends a message and does not wait for its answer. */
    send: (text: string) => act(async () => void now().chat.sendMessage({ text })),
    do: (f: (tab: ReturnType<typeof now>) => unknown) => act(async () => void f(now())),
    until: (check: () => void) => waitFor(check, patience),
    /** Waits until nothing streams and the last turn has ended. */
    ready: (turns: number) =>
      waitFor(() => {
        expect(ends).toHaveLength(turns);
        expect(now().chat.status).toBe("ready");
        expect(now().chat.isStreaming).toBe(false);
      }, patience),
  };
}

export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** What storage says of a conversation. */
export async function stored(name: string): Promise<UIMessage[]> {
  const response = await fetch(`${url}/agents/assistant/${name}/get-messages`);
  return (await response.json()) as UIMessage[];
}

let rooms = 0;
/** A conversation that nobody has used. */
export const room = () => `client-${process.pid}-${++rooms}-${Math.random().toString(36).slice(2)}`;
