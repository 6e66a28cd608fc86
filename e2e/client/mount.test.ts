// A page that sends its first message as it mounts, before its socket is open: in order, and without an empty bubble,
// also if another message follows while a transcript may still be on its way. browser/early_test.go has every timing.
import { cleanup } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { freshName, mount, open, textOf } from "./tab";

afterEach(cleanup);

const short = "one chunks=1 delay=0";
const long = "one chunks=60 delay=20";

type Tab = Awaited<ReturnType<typeof mount>>;

/** What a tab shows: who has said what, by the first word. */
const shown = (tab: Tab) =>
  tab.now().chat.messages.map((m) => `${m.role.slice(0, 1)}:${textOf(m).trim().split(" ")[0]}`);

/** Waits until the tab shows this, and nothing streams. */
const shows = (tab: Tab, turns: number, list: string[]) =>
  tab.until(() => {
    expect(tab.ends.length).toBeGreaterThanOrEqual(turns);
    expect(tab.now().chat.status).toBe("ready");
    expect(tab.now().chat.isStreaming).toBe(false);
    expect(shown(tab)).toEqual(list);
  });

/** Checks that no question was ever shown above the answer to the one before it. */
function inOrder(tab: Tab) {
  const second = (texts: string[]) => texts.findIndex((text) => text.startsWith("two"));
  expect(tab.renders.filter((texts) => second(texts) >= 0 && second(texts) !== 2)).toEqual([]);
}

// The probe of the page arrives at another moment each time.
for (const first of [short, long, short, long]) {
  test(`two messages, of which the first is "${first}"`, async () => {
    const name = freshName();
    const tab = await mount({ name, first });
    await tab.until(() => expect(tab.now()).not.toBeNull());
    await shows(tab, 1, ["u:one", "a:c0"]);
    await tab.send("two chunks=3 delay=20");
    const both = ["u:one", "a:c0", "u:two", "a:c0"];
    await shows(tab, 2, both);
    inOrder(tab);
    tab.unmount();
    const again = await open(name);
    await shows(again, 0, both);
  });
}

test("another tab asks behind the first answer", async () => {
  const name = freshName();
  const tab = await mount({ name, first: short });
  await tab.until(() => expect(tab.now()).not.toBeNull());
  await shows(tab, 1, ["u:one", "a:c0"]);
  const other = await open(name);
  await other.send("two chunks=3 delay=20");
  const both = ["u:one", "a:c0", "u:two", "a:c0"];
  await shows(other, 1, both);
  await shows(tab, 1, both);
});
