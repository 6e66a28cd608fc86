// Calls that wait: for a tool in the browser, and for a person's approval in a helper's conversation.
import { cleanup } from "@testing-library/react";
import { getToolName, isToolUIPart } from "ai";
import { afterEach, expect, test } from "vitest";
import { freshName, open, stored, type TabOptions } from "./tab";

afterEach(cleanup);

type Tab = Awaited<ReturnType<typeof open>>;

const calls = (tab: Tab) => tab.now().chat.messages.flatMap((m) => m.parts.filter(isToolUIPart));

/** A tab whose browser has a search tool. */
const searching = (by: string): Omit<TabOptions, "name"> => ({
  chat: {
    body: { clientTools: [{ name: "web_search", description: "Searches.", parameters: { type: "object" } }] },
    onToolCall: ({ toolCall, addToolOutput }) => addToolOutput({ toolCallId: toolCall.toolCallId, output: { by } }),
  },
});

test("a tool in the browser answers once, and the model goes on, in every tab", async () => {
  const name = freshName();
  const [a, b] = [await open(name, searching("a")), await open(name, searching("b"))];
  await a.send("otters");
  await a.until(() => expect(a.roles()).toEqual(["user", "assistant", "assistant"]));
  await a.until(() => expect(a.text()[2]).toContain("I can say"));
  await a.until(() => expect(a.now().chat.status).toBe("ready"));
  await b.until(() => expect(b.now().chat.messages).toEqual(a.now().chat.messages));
  await b.until(() => expect(b.now().chat.status).toBe("ready"));
  expect(calls(a)).toMatchObject([{ state: "output-available", toolCallId: expect.stringMatching(/^call_/) }]);
  expect((await stored(name)).map((m) => m.id)).toEqual(a.now().chat.messages.map((m) => m.id));
});

test("a failure of a tool in the browser is told to the model", async () => {
  const tab = await open(freshName(), {
    chat: {
      ...searching("a").chat,
      onToolCall: ({ toolCall, addToolOutput }) =>
        addToolOutput({ toolCallId: toolCall.toolCallId, state: "output-error", errorText: "no network" }),
    },
  });
  await tab.send("otters");
  await tab.until(() => expect(calls(tab)).toMatchObject([{ state: "output-error", errorText: "no network" }]));
  await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
  await tab.do(({ chat }) => chat.sendMessage());
  await tab.until(() => expect(tab.text().join()).toContain("no network"));
  await tab.until(() => expect(tab.now().chat.status).toBe("ready"));
});

for (const approved of [true, false]) {
  test(`a helper's call is ${approved ? "approved" : "denied"} in its own conversation`, async () => {
    const name = freshName();
    const parent = await open(name);
    await parent.send("Plan the deployment with config/.env");
    await parent.until(() => expect(calls(parent)).toHaveLength(1));
    const run = calls(parent)[0]?.toolCallId ?? "";
    const helper = await open(name, { sub: [{ agent: "Planner", name: run }] });
    await helper.until(() => expect(calls(helper)).toMatchObject([{ state: "approval-requested" }]));
    await helper.until(() => expect(helper.now().chat.status).toBe("ready"));
    const [call] = calls(helper);
    expect(call && getToolName(call)).toBe("inspect_file");
    const id = call?.state === "approval-requested" ? call.approval.id : "";
    await helper.do(({ chat }) => chat.addToolApprovalResponse({ id, approved }));
    await helper.until(() => expect(helper.roles()).toEqual(["user", "assistant", "assistant"]));
    await parent.ready(1);
    await helper.until(() => expect(helper.now().chat.status).toBe("ready"));
    expect(calls(helper)).toMatchObject([{ state: approved ? "output-available" : "output-denied" }]);
    expect(calls(parent)).toMatchObject([{ state: "output-available", output: { ok: true } }]);
  });
}

test("a result that the server refuses disappears from every page, and the call can still be approved", async () => {
  const name = freshName();
  const parent = await open(name);
  await parent.send("Plan the deployment with config/.env");
  await parent.until(() => expect(calls(parent)).toHaveLength(1));
  const toolCallId = calls(parent)[0]?.toolCallId ?? "";
  const complaints: string[] = [];
  const onMessage = ({ data }: MessageEvent) => {
    if (String(data).includes('"type":"tributary_error"')) complaints.push(String(data));
  };
  const helper = await open(name, { sub: [{ agent: "Planner", name: toolCallId }], socket: { onMessage } });
  await helper.until(() => expect(calls(helper)).toMatchObject([{ state: "approval-requested" }]));
  await helper.until(() => expect(helper.now().chat.status).toBe("ready"));
  const [asked] = calls(helper);
  const call = { toolCallId: asked?.toolCallId ?? "", toolName: "inspect_file" };
  await helper.do(({ chat }) => chat.addToolOutput({ ...call, output: "made up" }));
  await helper.until(() => expect(complaints.join()).toContain("runs on the server"));
  await helper.until(() => expect(calls(helper)).toEqual([asked]));
  const id = asked?.state === "approval-requested" ? asked.approval.id : "";
  await helper.do(({ chat }) => chat.addToolApprovalResponse({ id, approved: true }));
  await parent.ready(1);
  await helper.until(() => expect(calls(helper)).toMatchObject([{ state: "output-available" }]));
  expect(JSON.stringify(calls(helper))).not.toContain("made up");
});
