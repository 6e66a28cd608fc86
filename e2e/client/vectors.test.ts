// The vectors that test Go's model of a tab, in durable/durabletest/browser, played to the published client: both must
// send and show the same. There is no server, and the time is a part of the vectors.
import { readdirSync, readFileSync } from "node:fs";
import { useAgentChat } from "@cloudflare/ai-chat/react";
import { act, cleanup, renderHook } from "@testing-library/react";
import { useAgent, useAgentToolEvents } from "agents/react";
import type { UIMessage } from "ai";
import { createElement, type PropsWithChildren, Suspense, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Names } from "./names";
import { FakeSocket } from "./network";
import { after, nothing, tidyMessage, type View, view } from "./view";

interface Vector {
  tab: string;
  /** The only major of the AI SDK that does this, if they differ. */
  sdk?: number;
  initial: UIMessage[];
  steps: Step[];
}

interface Step {
  at: number;
  do: string;
  hear?: object;
  text?: string;
  id?: string;
  yes?: boolean;
  code?: number;
  sent?: unknown[];
  shows?: Partial<View>;
}

const folder = new URL("../../durable/durabletest/browser/testdata/", `file://${import.meta.filename}`);
const read = (file: string): Vector => JSON.parse(readFileSync(new URL(file, folder), "utf8"));
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .filter((name) => [undefined, process.env.AI_SDK].includes(read(name).sdk?.toString()));

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] }),
);
afterEach(cleanup);
afterEach(() => void vi.useRealTimers());

/** The hooks of a component, as in Tributary's page. */
function useTab(name: string, initial: UIMessage[]) {
  const [clearing, setClearing] = useState(false);
  const agent = useAgent({
    agent: "Assistant",
    name,
    host: "nowhere.test",
    WebSocket: FakeSocket,
    onClose: () => setClearing(false),
  });
  const helpers = useAgentToolEvents<UIMessage["parts"][number]>({ agent });
  const chat = useAgentChat({
    agent,
    getInitialMessages: async () => initial,
    syncMessagesToServer: false,
    throttle: false,
    onTurnEnd: () => {
      if (clearing) chat.setMessages([]);
      setClearing(false);
    },
  });
  return { agent, chat, helpers, setClearing };
}

type Tab = ReturnType<typeof useTab>;

function clear({ chat, helpers, setClearing }: Tab) {
  const running = chat.status === "submitted" || chat.status === "streaming" || chat.isServerStreaming;
  setClearing(running);
  if (running) void chat.stop();
  chat.clearError();
  chat.clearHistory();
  helpers.resetLocalState();
}

function answer({ agent, chat }: Tab, toolCallId: string, approved: boolean) {
  const parts = chat.messages.flatMap((message) => message.parts) as {
    toolCallId?: string;
    approval?: { id: string };
  }[];
  const id = parts.find((part) => part.toolCallId === toolCallId)?.approval?.id;
  if (id) void chat.addToolApprovalResponse({ id, approved });
  else agent.send(JSON.stringify({ type: "cf_agent_tool_approval", toolCallId, approved, autoContinue: true }));
}

function happen(tab: Tab, names: Names, { do: verb, hear, text = "", id = "", yes = false, code = 0 }: Step) {
  const socket = FakeSocket.current;
  switch (verb) {
    case "connect": // the client does this by itself
      return expect(socket?.readyState).toBe(FakeSocket.CONNECTING);
    case "opened":
      return socket?.opened();
    case "broke":
      return socket?.broke();
    case "closed":
      return socket?.closed(code);
    case "hear":
      return socket?.hear(names.forClient(hear));
    case "say":
      return void tab.chat.sendMessage({ text });
    case "edit":
      return void tab.chat.sendMessage({ text, messageId: names.ofClient(id) });
    case "regenerate":
      return void tab.chat.regenerate();
    case "stop":
      return void tab.chat.stop();
    case "clear":
      return clear(tab);
    case "answer":
      return answer(tab, id, yes);
  }
}

/** Lets time pass, and waits for all effects. */
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

/** A frame, with the body of a request parsed. */
function readable(frame: unknown): unknown {
  const { init } = frame as { init?: { body: string } };
  if (!init) return frame;
  const body: { messages: object[] } = JSON.parse(init.body);
  return { ...(frame as object), init: { ...init, body: { ...body, messages: body.messages.map(tidyMessage) } } };
}

const takeSent = () => FakeSocket.current?.sent() ?? [];

test.each(vectors)("%s", async (file) => {
  const { tab: name, initial, steps } = read(file);
  const names = new Names(name);
  FakeSocket.current = undefined;
  const inSuspense = ({ children }: PropsWithChildren) => createElement(Suspense, { fallback: null }, children);
  const { result } = await act(async () => renderHook(() => useTab(file, initial), { wrapper: inSuspense }));
  let shows = nothing;
  let now = 0;
  for (const [i, step] of steps.entries()) {
    await pass(step.at - now);
    now = step.at;
    await act(async () => void happen(result.current, names, step));
    await pass(0);
    await pass(0);
    const sent = takeSent();
    const want = (step.sent ?? []).map(readable);
    const where = `line ${i + 2} of ${file}, ${step.do}`;
    expect(names.translate(sent.map(readable), want), `sent at ${where}`).toEqual(want);
    shows = after(shows, step.shows);
    expect(
      names.translate(view(result.current.chat, result.current.helpers as never), shows),
      `shown at ${where}`,
    ).toEqual(shows);
  }
});
