// Code whose calls ask a person, in tabs of the published client, with restarts between question and answer.
import { cleanup } from "@testing-library/react";
import { isToolUIPart, type UIMessage } from "ai";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { open } from "../client/tab";
import { type Counter, counter } from "../workflow/counter";
import { freshName, Office } from "../workflow/office";
import { directive } from "./coder";

let office: Office;
let server: Counter;

beforeAll(async () => {
  server = await counter(({ path }, response) => void response.end(`booked ${path.slice(1)}`));
  office = await Office.open({ config: inject("code") });
});

afterEach(cleanup);

afterAll(async () => {
  await office.close();
  server.stop();
});

type Tab = Awaited<ReturnType<typeof open>>;
type Part = UIMessage["parts"][number];

const openTab = (name: string) => open(name, { host: office.url });
const calls = (parts: Part[]) => parts.filter(isToolUIPart);
const shown = (tab: Tab) => calls(tab.now().chat.messages.flatMap(({ parts }) => parts));
const ofType = (tab: Tab, type: string) => shown(tab).filter((part) => part.type === type);
const states = (tab: Tab, type: string) => ofType(tab, type).map(({ state }) => state);
const ready = (tab: Tab) => tab.until(() => expect(tab.now().chat.status).toBe("ready"));

/** The approval of a question that is shown in a tab. */
function asked(tab: Tab, type: string, nth: number): string {
  const part = ofType(tab, type)[nth];
  if (part?.state !== "approval-requested") throw new Error(`${part?.state} is no question`);
  return part.approval.id;
}

/** Kills the server, and opens a tab when there is another one. */
async function inAnotherLife(name: string): Promise<Tab> {
  office.kill();
  await office.ready();
  return openTab(name);
}

/** Books two things at once. */
const booking = (trip: string) => `
  const all = await Promise.allSettled(["train", "hotel"].map((what) => tools.book({ url: "${server.url}/${trip}-" + what })));
  return all.map(({ value, reason }) => value ?? reason.message)`;

/** Has code book two things. Returns a tab with both questions. */
async function bookingTab(name: string, trip: string): Promise<Tab> {
  const tab = await openTab(name);
  await tab.send(directive(booking(trip)));
  await tab.until(() => expect(states(tab, "tool-book")).toEqual(["approval-requested", "approval-requested"]));
  await ready(tab);
  return tab;
}

test("B3: two approvals of one run are answered in reverse order from two tabs, over a restart", async () => {
  const name = freshName();
  const first = await bookingTab(name, "lisbon");
  const code = ofType(first, "tool-code")[0]?.toolCallId ?? "";
  expect(ofType(first, "tool-book")).toMatchObject(
    [1, 2].map((n) => ({
      toolCallId: `${code}/${n}`,
      approval: { id: `${code}/${n}` },
      callProviderMetadata: { tributary: { parent: code } },
    })),
  );
  await first.do(({ chat }) => chat.addToolApprovalResponse({ id: asked(first, "tool-book", 1), approved: true }));
  await first.until(() => expect(states(first, "tool-book")).toEqual(["approval-requested", "output-available"]));
  await ready(first);
  expect(server.asked.map(({ path }) => path)).toEqual(["/lisbon-hotel"]);

  const second = await inAnotherLife(name);
  await second.until(() => expect(states(second, "tool-book")).toEqual(["approval-requested", "output-available"]));
  await ready(second);
  await second.do(({ chat }) => chat.addToolApprovalResponse({ id: asked(second, "tool-book", 0), approved: true }));
  for (const tab of [first, second]) {
    await tab.until(() => expect(states(tab, "tool-code")).toEqual(["output-available"]));
    await ready(tab);
    const result = ["booked lisbon-train", "booked lisbon-hotel"];
    expect(ofType(tab, "tool-code")).toMatchObject([{ output: { status: "completed", result } }]);
    expect(states(tab, "tool-book")).toEqual(["output-available", "output-available"]);
  }
  await first.until(() => expect(first.now().chat.messages).toEqual(second.now().chat.messages));
  expect(server.asked.map(({ path }) => path)).toEqual(["/lisbon-hotel", "/lisbon-train"]);
});

/** The ways in which a person denies a call and says why. */
const denials: Record<string, (tab: Tab, id: string) => Promise<unknown>> = {
  "a frame": async (tab, toolCallId) => {
    const frame = { type: "cf_agent_tool_approval", toolCallId, approved: false, reason: "too dear" };
    tab.now().agent.send(JSON.stringify({ ...frame, autoContinue: true }));
  },
  "a method": (tab, id) => tab.now().agent.call("deny", [id, "too dear"]),
};
for (const [way, deny] of Object.entries(denials)) {
  test(`B3: the words of a denial by ${way} reach the code, which goes on`, async () => {
    const name = freshName();
    server.asked.length = 0;
    const first = await bookingTab(name, "porto");
    const second = await inAnotherLife(name);
    await second.until(() => expect(states(second, "tool-book")).toHaveLength(2));
    await ready(second);
    await deny(second, asked(second, "tool-book", 0));
    await second.until(() => expect(states(second, "tool-book")).toEqual(["output-denied", "approval-requested"]));
    await ready(second);
    await second.do(({ chat }) => chat.addToolApprovalResponse({ id: asked(second, "tool-book", 1), approved: true }));
    for (const tab of [first, second]) {
      await tab.until(() => expect(states(tab, "tool-code")).toEqual(["output-available"]));
      const result = [expect.stringContaining("too dear"), "booked porto-hotel"];
      expect(ofType(tab, "tool-code")).toMatchObject([{ output: { status: "completed", result } }]);
      expect(states(tab, "tool-book")).toEqual(["output-denied", "output-available"]);
      await ready(tab);
    }
    expect(server.asked.map(({ path }) => path)).toEqual(["/porto-hotel"]);
  });
}

/** Who asks: a tool that the model calls, and one that code calls. */
const askers = {
  "a tool of the model": { prompt: "confirm the trip", type: "tool-confirm" },
  "a tool in code": { prompt: directive('return await tools.confirm({ words: "the trip" })'), type: "tool-code" },
};
for (const [who, { prompt, type }] of Object.entries(askers)) {
  test(`a question of ${who} is told why it was denied`, async () => {
    const name = freshName();
    const tab = await openTab(name);
    await tab.send(prompt);
    await tab.until(() => expect(states(tab, "tool-ask")).toEqual(["approval-requested"]));
    await ready(tab);
    await denials["a frame"]?.(tab, asked(tab, "tool-ask", 0));
    const denied = { yes: false, reason: "too dear" };
    await tab.until(() => expect(states(tab, type)).toEqual(["output-available"]));
    const output = type === "tool-code" ? { status: "completed", result: denied } : denied;
    expect(ofType(tab, type)).toMatchObject([{ output }]);
    await ready(tab);
  });
}

test("code waits for a helper, whose run stands below the call", async () => {
  const tab = await openTab(freshName());
  await tab.send(directive('return (await tools.research({ words: "otters" })).ok'));
  await tab.until(() => expect(states(tab, "tool-code")).toEqual(["output-available"]));
  expect(ofType(tab, "tool-code")).toMatchObject([{ output: { status: "completed", result: true } }]);
  const [call] = ofType(tab, "tool-research");
  expect(call?.toolCallId).toBe(`${ofType(tab, "tool-code")[0]?.toolCallId}/1`);
  await tab.until(() =>
    expect(Object.values(tab.runs())).toMatchObject([{ parentToolCallId: call?.toolCallId, status: "completed" }]),
  );
});
