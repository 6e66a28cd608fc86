// Messages that are sent before the connection is open, or just after it has opened.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { freshName, mount, open } from "./tab";

afterEach(cleanup);

const words = "hi chunks=50 delay=20";

type Tab = Awaited<ReturnType<typeof open>>;

/** Checks that the tab shows the message once and first, in every render from the first one that `from` accepts. */
async function staysInSight(tab: Tab, from: (texts: string[]) => boolean) {
  await tab.until(() => expect(tab.text().at(-1)).toContain("c3"));
  await tab.ready(1);
  expect(tab.roles()).toEqual(["user", "assistant"]);
  const shown = tab.renders.slice(tab.renders.findIndex(from));
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter((texts) => texts.indexOf(words) !== 0 || texts.lastIndexOf(words) !== 0)).toEqual([]);
}

test("a message that is sent before the socket is open stays visible", async () => {
  const tab = await mount({ name: freshName(), socket: { startClosed: true } });
  await tab.until(() => expect(tab.now()).not.toBeNull());
  await tab.send(words);
  await tab.do(({ agent }) => agent.reconnect());
  await staysInSight(tab, (texts) => texts.includes(words));
});

// The message crosses the server's greeting, which the client takes for its list. The client shows the message again
// with the next transcript. No server can prevent that, but the message is back before any text of the answer is shown.
test("a message that is sent just after the socket has opened is above its answer from the first word on", async () => {
  const tab = await open(freshName());
  await tab.do(({ agent, chat }) => {
    agent.addEventListener("open", () => void chat.sendMessage({ text: words }), { once: true });
    agent.reconnect();
  });
  await staysInSight(tab, (texts) => texts.some((text) => text.startsWith("c0")));
});
