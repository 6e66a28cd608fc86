// Messages that a person sends during a turn, under each policy that an agent can have: no tab waits without end, and
// in the end all tabs show what is stored.
import { execFileSync } from "node:child_process";
import { cleanup } from "@testing-library/react";
import type { UIMessage } from "ai";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Dev, dev } from "../dev";
import { freshName, open, textOf } from "./tab";

let server: Dev;

beforeAll(async () => {
  const args = ["build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", "build/tck/chat.wasm"];
  execFileSync("go", [...args, "./wasm/tck/chat"], { env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm" } });
  server = await dev({ config: "wasm/tck/chat/wrangler.jsonc" });
});
afterEach(cleanup);
afterAll(() => server.stop());

const said = (chunks: number) => Array.from({ length: chunks }, (_, i) => `c${i} `.padEnd(16, "x")).join("");
/** An answer that lasts longer than two messages need to arrive. */
const first = "one chunks=300 delay=20";

/**
 * Opens tabs a and b, sends two messages in b while a's message is being answered, and returns what both tabs show at
 * the end.
 */
async function overlap(agent: string) {
  const [name, host] = [freshName(), server.url];
  const [a, b] = [await open(name, { host, agent }), await open(name, { host, agent })];
  const stored = async () => {
    const response = await fetch(`${host}/agents/${agent.toLowerCase()}/${name}/get-messages`);
    return (await response.json()) as UIMessage[];
  };
  await a.send(first);
  await b.until(() => expect(b.text()[1]).toContain("c3"));
  await b.send("two chunks=1");
  await b.send("three chunks=1");
  const settled = async (texts: string[]) => {
    await a.until(async () => expect((await stored()).map(textOf)).toEqual(texts));
    for (const tab of [a, b]) {
      await tab.until(() => expect(tab.text()).toEqual(texts));
      await tab.until(() => expect(tab.now().chat).toMatchObject({ status: "ready", isStreaming: false }));
    }
  };
  return { a, b, stored, settled };
}

const outcomes = (ends: { outcome: string }[]) => ends.map((end) => end.outcome);

test("under Latest, only the last of a page's own messages is answered", async () => {
  const tab = await open(freshName(), { host: server.url, agent: "Latest" });
  await tab.send(first);
  await tab.until(() => expect(tab.text()[1]).toContain("c3"));
  await tab.send("two chunks=1");
  await tab.send("three chunks=1");
  await tab.until(() => expect(tab.text()).toEqual([first, said(300), "two chunks=1", "three chunks=1", said(1)]));
  await tab.until(() => expect(tab.now().chat).toMatchObject({ status: "ready", isStreaming: false }));
  expect(outcomes(tab.ends)).toContain("skipped");
});

for (const agent of ["Latest", "Debouncing"]) {
  test(`${agent}: the last message is answered`, async () => {
    const { b, stored, settled } = await overlap(agent);
    await settled([first, said(300), "two chunks=1", "three chunks=1", said(1)]);
    expect(outcomes(b.ends)).toContain("skipped");
    const [, , two, three] = await stored();
    expect(two?.metadata).toEqual({ supersededBy: three?.id });
  });
}

test("Merging: all messages become one message, which is answered", async () => {
  const { b, settled } = await overlap("Merging");
  await settled([first, said(300), "two chunks=1three chunks=1", said(1)]);
  expect(outcomes(b.ends)).toContain("skipped");
  expect(b.now().chat.messages[2]?.metadata).toMatchObject({ merged: [expect.any(String)] });
});

test("Dropping: no message is accepted, and the page shows that", async () => {
  const { b, settled } = await overlap("Dropping");
  await settled([first, said(300)]);
  expect(outcomes(b.ends).filter((outcome) => outcome === "skipped")).toHaveLength(2);
  await b.send("four chunks=1");
  await settled([first, said(300), "four chunks=1", said(1)]);
});
