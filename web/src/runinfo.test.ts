import { expect, test } from "vitest";
import { parseRunInfos } from "./runinfo";

const usage = { inputTokens: 30, outputTokens: 12, modelCalls: 2 };

test("runs are known by their ids, with what they have cost", () => {
  const answer = [
    { runId: "a", status: "running", startedAt: 5, usage },
    { runId: "b", status: "completed", startedAt: 5, completedAt: 9, usage: {} },
  ];
  expect(parseRunInfos(answer)).toEqual({
    a: { runId: "a", status: "running", startedAt: 5, tokens: 42 },
    b: { runId: "b", status: "completed", startedAt: 5, completedAt: 9, tokens: 0 },
  });
});

test.each([undefined, null, "no", {}, [null, 1, { runId: 1 }, { runId: "a", status: "running" }]])(
  "%j tells of no run",
  (answer) => {
    expect(parseRunInfos(answer)).toEqual({});
  },
);
