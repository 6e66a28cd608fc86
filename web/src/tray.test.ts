import { expect, test } from "vitest";
import type { Run } from "./run";
import { trayOf, traySummary } from "./tray";

function run(runId: string, status: Run["status"], ...parts: Run["parts"]): Run {
  return { runId, agentType: "Researcher", order: 0, status, parts, subAgent: { agent: "Researcher", name: runId } };
}

const asking = {
  type: "tool-inspect_file",
  toolCallId: "c",
  state: "approval-requested",
  input: {},
  approval: { id: "a" },
} as const;
const runs = [
  run("a", "completed"),
  run("b", "running"),
  run("c", "error"),
  run("d", "running", asking),
  run("e", "running"),
];

test("who waits comes first, then who works, then what is over", () => {
  expect(trayOf(runs).map(({ runId }) => runId)).toEqual(["d", "b", "e", "a", "c"]);
});

test("a tray is summed up in words", () => {
  expect(traySummary(runs)).toBe("1 waiting for approval, 2 running, 1 completed, 1 failed");
});
