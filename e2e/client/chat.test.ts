import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { endless } from "../patience";
import { freshName, open, stored } from "./tab";

afterEach(cleanup);

const said = (chunks: number) => Array.from({ length: chunks }, (_, i) => `c${i} `.padEnd(16, "x")).join("");

test("a message is answered, and storage has the messages that the tab shows", async () => {
  const name = freshName();
  const tab = await open(name);
  expect(tab.now().agent).toMatchObject({ name, agent: "assistant" });
  await tab.send("hi chunks=3");
  await tab.ready(1);
  expect(tab.text()).toEqual(["hi chunks=3", said(3)]);
  expect(tab.ends).toMatchObject([{ outcome: "completed" }]);
  const kept = await stored(name);
  expect(tab.now().chat.messages.map((m) => m.id)).toEqual(kept.map((m) => m.id));
  expect(tab.now().chat.messages[1]?.metadata).toEqual(kept[1]?.metadata);
});

test("plain questions of a person are answered too", async () => {
  const tab = await open(freshName());
  await tab.send("What can you do?");
  await tab.ready(1);
  expect(tab.text()[1]).toMatch(/demo model/i);
});

test("another tab watches live and ends with the same list", async () => {
  const name = freshName();
  const [a, b] = [await open(name), await open(name)];
  await a.send("hi chunks=100 delay=20");
  await b.until(() => expect(b.now().chat.isServerStreaming).toBe(true));
  expect(b.now().chat.status).toBe("ready");
  await a.ready(1);
  await b.until(() => expect(b.now().chat.messages).toEqual(a.now().chat.messages));
  expect(b.text()).toEqual(["hi chunks=100 delay=20", said(100)]);
});

test("a tab that connects in the middle gets everything once", async () => {
  const name = freshName();
  const a = await open(name);
  await a.send("hi chunks=150 delay=20");
  await a.until(() => expect(a.text()[1]).toContain("c3"));
  const b = await open(name);
  await a.ready(1);
  await b.until(() => expect(b.text()).toEqual(["hi chunks=150 delay=20", said(150)]));
  await b.until(() => expect(b.now().chat.status).toBe("ready"));
});

test("a socket that drops in the middle resumes the same stream", async () => {
  const tab = await open(freshName());
  await tab.send("hi chunks=200 delay=20");
  await tab.until(() => expect(tab.text()[1]).toContain("c3"));
  await tab.do(({ agent }) => agent.reconnect());
  await tab.until(() => expect(tab.text()).toEqual(["hi chunks=200 delay=20", said(200)]));
  await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
});

test("stop keeps the text so far, and the next message is answered", async () => {
  const name = freshName();
  const tab = await open(name);
  await tab.send(`hi ${endless}`);
  await tab.until(() => expect(tab.text()[1]).toContain("c3"));
  await tab.do(({ chat }) => chat.stop());
  await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
  await tab.until(async () => expect(await stored(name)).toHaveLength(2));
  await tab.send("again chunks=1");
  await tab.until(() => expect(tab.text().at(-1)).toBe(said(1)));
  expect(tab.roles()).toEqual(["user", "assistant", "user", "assistant"]);
  expect((await stored(name))[1]?.parts).toContainEqual(expect.objectContaining({ state: "done" }));
});

test("regenerate replaces the answer in every tab", async () => {
  const name = freshName();
  const [a, b] = [await open(name), await open(name)];
  await a.send("hi chunks=2");
  await a.ready(1);
  const first = a.now().chat.messages[1]?.id;
  await a.do(({ chat }) => chat.regenerate());
  await a.ready(2);
  expect(a.roles()).toEqual(["user", "assistant"]);
  expect(a.now().chat.messages[1]?.id).not.toBe(first);
  await b.until(() => expect(b.now().chat.messages).toEqual(a.now().chat.messages));
});

test("an edit removes the messages after it", async () => {
  const name = freshName();
  const tab = await open(name);
  await tab.send("first chunks=1");
  await tab.ready(1);
  await tab.send("second chunks=1");
  await tab.ready(2);
  const id = tab.now().chat.messages[0]?.id;
  await tab.do(({ chat }) => chat.sendMessage({ text: "edited chunks=2", messageId: id }));
  await tab.ready(3);
  expect(tab.text()).toEqual(["edited chunks=2", said(2)]);
  expect((await stored(name)).map((m) => m.id)).toEqual(tab.now().chat.messages.map((m) => m.id));
});

test("clear empties every tab and stops what streams", async () => {
  const name = freshName();
  const [a, b] = [await open(name), await open(name)];
  await a.send(`hi ${endless}`);
  await b.until(() => expect(b.text()[1]).toContain("c3"));
  await b.do(({ chat }) => chat.clearHistory());
  await a.until(() => expect(a.now().chat.messages).toEqual([]));
  await a.until(() => expect(a.now().chat.status).toBe("ready"));
  expect(await stored(name)).toEqual([]);
  await b.send("anew chunks=1");
  await a.until(() => expect(a.text()).toEqual(["anew chunks=1", said(1)]));
});

test("a message that is refused does not block the next one", async () => {
  const tab = await open(freshName());
  await tab.send("x".repeat(1_900_000));
  await tab.until(() => expect(tab.now().chat.error?.message).toContain("at most 1800000"));
  expect(tab.text()).toEqual([]);
  await tab.send("hi chunks=1");
  await tab.until(() => expect(tab.text()).toEqual(["hi chunks=1", said(1)]));
});

test("two messages in a row are answered in their order", async () => {
  const name = freshName();
  const [a, b] = [await open(name), await open(name)];
  await a.send("one chunks=100 delay=20");
  await b.until(() => expect(b.text()).toContain("one chunks=100 delay=20")); // before the next message, which has another socket
  await b.send("two chunks=1");
  await a.until(async () => expect(await stored(name)).toHaveLength(4));
  await a.until(() => expect(a.text()).toEqual(["one chunks=100 delay=20", said(100), "two chunks=1", said(1)]));
  await b.until(() => expect(b.text()).toEqual(a.text()));
});

test("a reload shows the same as before, and no word twice", async () => {
  const name = freshName();
  const before = await open(name);
  await before.send("hi chunks=3");
  await before.ready(1);
  before.unmount();
  const after = await open(name);
  await after.until(() => expect(after.now().chat.messages).toEqual(before.now().chat.messages));
  expect(after.now().chat.status).toBe("ready");
});
