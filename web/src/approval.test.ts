import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { questionsOf } from "./approval";
import type { Run } from "./run";
import { asking, run } from "./sample";

const answered = { ...asking, state: "approval-responded", approval: { id: "a", approved: true } } as const;
const message = (...parts: UIMessage["parts"]): UIMessage => ({ id: "m", role: "assistant", parts });
const planner = (status: Run["status"]) => run({ display: { name: "Plan" }, status, parts: [asking] });

test("a helper that waits asks by its name, for a tool and what it would be given", () => {
  const r1 = planner("running");
  expect(questionsOf([], { r1 })).toEqual([
    { id: "a", asker: "Plan", run: r1, tool: "inspect_file", input: "config/.env" },
  ]);
});

test("the agent's own question comes first", () => {
  const found = questionsOf([message(asking)], { r1: planner("running") });
  expect(found.map(({ asker }) => asker)).toEqual(["", "Plan"]);
});

test("what was answered, or asked by a run that is over, waits no more", () => {
  expect(questionsOf([message(answered)], { r1: planner("aborted") })).toEqual([]);
});
