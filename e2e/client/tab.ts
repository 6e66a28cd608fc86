// A tab: the published hooks in a component, in the way in which an application would use them.

import { useAgentChat } from "@cloudflare/ai-chat/react";
import { act, renderHook, waitFor } from "@testing-library/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import type { UIMessage } from "ai";
import { createElement, type PropsWithChildren, Suspense, useLayoutEffect } from "react";
import { expect, inject } from "vitest";
import { wait } from "../patience";

export const url = inject("url");
export const waitOptions = { timeout: wait };

export interface TurnEnd {
  requestId: string;
  outcome: string;
}

/** The conversation that a tab shows, and its options. */
export interface TabOptions {
  name: string;
  /** The agent's class; Assistant by default. */
  agent?: string;
  /** The Worker's address; by default that of the tests' own Worker. */
  host?: string;
  /** The helper whose own conversation the tab shows. */
  sub?: { agent: string; name: string }[];
  /** More of the agent hook's options. */
  socket?: Pick<Parameters<typeof useAgent>[0], "onOpen" | "onMessage" | "onMcpUpdate" | "query" | "startClosed">;
  /** What the page sends as it mounts. */
  first?: string;
  /** More of the chat hook's options. */
  chat?: Omit<Parameters<typeof useAgentChat>[0], "agent" | "onTurnEnd">;
}

/** The component of the application. */
function useTab(
  { name, agent: agentName = "Assistant", host = url, sub = [], socket, first, chat: more }: TabOptions,
  ends: TurnEnd[],
  renders: string[][],
) {
  const agent = useAgent<{ n: number }>({ ...socket, agent: agentName, name, host, sub });
  const helpers = useAgentToolEvents<UIMessage["parts"][number]>({ agent });
  const chat = useAgentChat({ ...more, agent, onTurnEnd: (end) => void ends.push(end) });
  const { sendMessage } = chat;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page mounts
  useLayoutEffect(() => {
    if (first !== undefined) void sendMessage({ text: first });
  }, []);
  renders.push(chat.messages.map(textOf));
  return { agent, chat, helpers };
}

/** Opens a conversation in a new tab, and does not wait for its connection. */
export async function mount(where: TabOptions) {
  const ends: TurnEnd[] = [];
  const renders: string[][] = [];
  const inSuspense = ({ children }: PropsWithChildren) => createElement(Suspense, { fallback: null }, children);
  // The chat suspends until it has the stored messages, and React requires that the test waits for that.
  const { result, rerender, unmount } = await act(async () =>
    renderHook(() => useTab(where, ends, renders), { wrapper: inSuspense }),
  );
  const now = () => result.current;
  return {
    now,
    ends,
    /** The texts that were shown, one list for each render. */
    renders,
    rerender,
    unmount,
    runs: () => now().helpers.runsById,
    text: () => now().chat.messages.map(textOf),
    roles: () => now().chat.messages.map((m) => m.role),
    /** Sends a message and does not wait for its answer. */
    send: (text: string) => act(async () => void now().chat.sendMessage({ text })),
    do: (f: (tab: ReturnType<typeof now>) => unknown) => act(async () => void f(now())),
    until: (check: () => void | Promise<void>) => waitFor(check, waitOptions),
    /** Waits until nothing streams and the last turn has ended. */
    ready: (turns: number) =>
      waitFor(() => {
        expect(ends).toHaveLength(turns);
        expect(now().chat.status).toBe("ready");
        expect(now().chat.isStreaming).toBe(false);
      }, waitOptions),
  };
}

/** Opens a conversation in a tab of its own, and waits until it is connected. */
export async function open(name: string, where: Omit<TabOptions, "name"> = {}) {
  const tab = await mount({ name, ...where });
  await tab.until(() => expect(tab.now()?.agent.identified).toBe(true));
  return tab;
}

export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The messages that storage has of a conversation. */
export async function stored(name: string): Promise<UIMessage[]> {
  const response = await fetch(`${url}/agents/assistant/${name}/get-messages`);
  return (await response.json()) as UIMessage[];
}

let names = 0;
/** Makes the name of a new conversation. */
export const freshName = () => `client-${process.pid}-${++names}-${Math.random().toString(36).slice(2)}`;
