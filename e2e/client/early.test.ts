// What is sent while the connection is still being made, or has just been.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { mount, open, room } from "./tab";

afterEach(cleanup);

const words = "hi chunks=50 delay=20";

type Tab = Awaited<ReturnType<typeof open>>;

async function staysInSight(tab: Tab) {
  await tab.until(() => expect(tab.text().at(-1)).toContain("c3"));
  expect(tab.text()[0]).toBe(words);
  await tab.ready(1);
  expect(tab.roles()).toEqual(["user", "assistant"]);
}

test("a message that is sent before the socket is open stays in sight", async () => {
  const tab = await mount({ name: room() });
  await tab.until(() => expect(tab.now()).not.toBeNull());
  await tab.send(words);
  await staysInSight(tab);
});

test("a message that is sent when the socket has just opened stays in sight", async () => {
  const tab = await open(room());
  await tab.do(({ agent, chat }) => {
    agent.addEventListener("open", () => void chat.sendMessage({ text: words }), { once: true });
    agent.reconnect();
  });
  await staysInSight(tab);
});
