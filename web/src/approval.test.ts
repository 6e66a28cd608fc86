import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { questionsOf } from "./approval";
import type { Run } from "./run";

const asking = {
  type: "tool-inspect_file",
  toolCallId: "c",
  state: "approval-requested",
  input: { path: "config/.env" },
  approval: { id: "a" },
} as const;
const answered = { ...asking, state: "approval-responded", approval: { id: "a", approved: true } } as const;
const message = (...parts: UIMessage["parts"]): UIMessage => ({ id: "m", role: "assistant", parts });
const run = (status: Run["status"], ...parts: Run["parts"]): Run => {
  const subAgent = { agent: "Planner", name: "r1" };
  return { runId: "r1", agentType: "Planner", order: 0, display: { name: "Plan" }, status, parts, subAgent };
};

test("a helper that waits asks by its name, for a tool and what it would be given", () => {
  const r1 = run("running", asking);
  expect(questionsOf([], { r1 })).toEqual([
    { id: "a", asker: "Plan", run: r1, tool: "inspect_file", input: "config/.env" },
  ]);
});

test("the agent's own question comes first", () => {
  const found = questionsOf([message(asking)], { r1: run("running", asking) });
  expect(found.map(({ asker }) => asker)).toEqual(["", "Plan"]);
});

test("what was answered, or asked by a run that is over, waits no more", () => {
  expect(questionsOf([message(answered)], { r1: run("aborted", asking) })).toEqual([]);
});
