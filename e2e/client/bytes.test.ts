// The bytes that a turn sends over the socket with the published client, in a short conversation and in a long one.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { posted } from "../../web/src/posted";
import { freshName, open, stored, url, waitOptions } from "./tab";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** How many messages of a list may be new: limit.Fresh of the server. */
const fresh = 256;

/** Fills a conversation with a person's messages, by setting a client's list. */
async function filled(count: number): Promise<string> {
  const name = freshName();
  const socket = new WebSocket(`${url.replace("http", "ws")}/agents/assistant/${name}?_pk=filler`);
  await new Promise((resolve) => socket.once("open", resolve));
  const messages = Array.from({ length: count }, (_, i) => ({
    id: `m${i}`,
    role: "user",
    parts: [{ type: "text", text: `message ${i} `.padEnd(200, "x") }],
  }));
  for (let end = fresh; end < count + fresh; end += fresh)
    socket.send(JSON.stringify({ type: "cf_agent_chat_messages", messages: messages.slice(0, end) }));
  await vi.waitFor(async () => expect(await stored(name)).toHaveLength(count), waitOptions);
  socket.close();
  return name;
}

/** The characters that a tab's second turn sends in each direction. The first turn may be sent the conversation. */
async function turn(count: number, chat: NonNullable<Parameters<typeof open>[1]>["chat"] = {}) {
  const bytes = { up: 0, down: 0 };
  let over = 0;
  const heard = (event: MessageEvent) => {
    bytes.down += String(event.data).length;
    if (String(event.data).includes('"type":"cf_agent_message_updated"')) over++; // the last frame of a turn
  };
  const tab = await open(await filled(count), { chat, socket: { onMessage: heard } });
  await tab.send("hi chunks=5");
  await tab.ready(1);
  await tab.until(() => expect(over).toBe(1));
  vi.spyOn(WebSocket.prototype, "send").mockImplementation(function (this: WebSocket, ...args: unknown[]) {
    bytes.up += String(args[0]).length;
    return send.apply(this, args as Parameters<typeof send>);
  });
  bytes.down = 0;
  await tab.send("hi chunks=5");
  await tab.ready(2);
  await tab.until(() => expect(over).toBe(2));
  const { up, down } = bytes;
  vi.restoreAllMocks();
  await tab.until(async () =>
    expect((await stored(tab.now().agent.name)).at(-1)).toEqual(tab.now().chat.messages.at(-1)),
  );
  tab.unmount();
  return { up, down };
}

const send = WebSocket.prototype.send;

test("a turn in a long conversation sends no more bytes than in a short one", async () => {
  const [short, long] = [await turn(10), await turn(1000)];
  console.log(JSON.stringify([short, long]));
  expect(long.down / short.down).toBeLessThan(1.05);
  // Without the page's selection the client posts its whole list.
  expect(long.up / short.up).toBeGreaterThan(10);
});

test("a request posts only the messages that the page has selected", async () => {
  const prepareSendMessagesRequest = ({ messages }: { messages: Parameters<typeof posted>[0] }) => ({
    body: { messages: posted(messages) },
  });
  const [short, long] = [
    await turn(10, { prepareSendMessagesRequest }),
    await turn(1000, { prepareSendMessagesRequest }),
  ];
  expect(long.up / short.up).toBeLessThan(1.05);
  expect(long.down / short.down).toBeLessThan(1.05);
});
