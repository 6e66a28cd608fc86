import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { approvalRequestsOf } from "./approval";
import type { Run } from "./run";
import { pendingApproval, run } from "./sample";

const answered = { ...pendingApproval, state: "approval-responded", approval: { id: "a", approved: true } } as const;
const message = (...parts: UIMessage["parts"]): UIMessage => ({ id: "m", role: "assistant", parts });
const planner = (status: Run["status"]) => run({ display: { name: "Plan" }, status, parts: [pendingApproval] });

test("a helper's request has its name, the tool and the tool's input", () => {
  const r1 = planner("running");
  expect(approvalRequestsOf([], { r1 })).toEqual([
    { id: "a", requester: "Plan", run: r1, tool: "inspect_file", input: "config/.env" },
  ]);
});

test("the agent's own request for approval comes first", () => {
  const found = approvalRequestsOf([message(pendingApproval)], { r1: planner("running") });
  expect(found.map(({ requester }) => requester)).toEqual(["", "Plan"]);
});

test("a call that was answered, or whose run has ended, no longer waits", () => {
  expect(approvalRequestsOf([message(answered)], { r1: planner("aborted") })).toEqual([]);
});
