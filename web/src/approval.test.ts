import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { askerOf, askingCalls, requestsOf } from "./approval";
import type { Run } from "./run";
import { codeCall, made, pendingApproval, run } from "./sample";

const answered = { ...pendingApproval, state: "approval-responded", approval: { id: "a", approved: true } } as const;
const message = (...parts: UIMessage["parts"]): UIMessage => ({ id: "m", role: "assistant", parts });
const planner = (status: Run["status"]) => run({ display: { name: "Plan" }, status, parts: [pendingApproval] });

test("a helper's request has its name, the tool and the tool's input", () => {
  const r1 = planner("running");
  expect(requestsOf([], { r1 })).toEqual([
    {
      id: "a",
      requester: "Plan",
      run: r1,
      code: false,
      question: undefined,
      tool: "inspect_file",
      input: "config/.env",
      hidden: 0,
      explanation: { title: "", text: "", risk: undefined },
    },
  ]);
});

test("the agent's own request for approval comes first", () => {
  const found = requestsOf([message(pendingApproval)], { r1: planner("running") });
  expect(found.map(({ requester }) => requester)).toEqual(["", "Plan"]);
});

test("a call that was answered, or whose run has ended, no longer waits", () => {
  expect(requestsOf([message(answered)], { r1: planner("aborted") })).toEqual([]);
});

test("a call is shown with its explanation", () => {
  const descriptor = { title: "Pay 120 to A", text: "From the shared account", risk: "high", scopes: [] };
  const explained = { ...pendingApproval, approval: { id: "a", descriptor } };
  const [request] = requestsOf([message(explained)], {});
  expect(request?.explanation).toEqual({ title: "Pay 120 to A", text: "From the shared account", risk: "high" });
});

test("a question waits like a call", () => {
  const ask = { ...pendingApproval, type: "tool-ask", input: { title: "Publish?" } } as const;
  expect(requestsOf([message(ask)], {})).toMatchObject([{ id: "a", tool: "", question: { title: "Publish?" } }]);
});

test("a request of code names the code, of the agent itself or of a helper", () => {
  const parts = [codeCall, made("waiting"), pendingApproval];
  const found = requestsOf([message(...parts)], { r1: run({ display: { name: "Plan" }, parts }) });
  expect(found.map(askerOf)).toEqual(["Code of the assistant", "The assistant", "Code of Plan", "Plan"]);
});

test("a call whose code asks is known, also if the question stands in a later message", () => {
  const by = (parent: string) => ({ callProviderMetadata: { tributary: { parent } } });
  const question = { type: "tool-ask", toolCallId: "q", state: "input-available", input: {}, ...by("c1") } as const;
  const messages = [
    message(codeCall),
    message(question),
    message({ ...pendingApproval, ...by("c2") }, pendingApproval),
  ];
  expect([...askingCalls(messages)]).toEqual(["c1", "c2"]);
  expect(askingCalls([message(codeCall, { ...answered, ...by("c1") })]).size).toBe(0);
});
