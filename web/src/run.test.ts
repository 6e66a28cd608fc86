import { expect, test } from "vitest";
import { runAdvice, runLabel, runReason, runState } from "./run";
import { parseRunInfos } from "./runinfo";
import { pendingApproval, run } from "./sample";

test("a helper is named by its display name or its class, and by its request", () => {
  expect(runLabel(run())).toBe("Helper Researcher");
  expect(runLabel(run({ display: { name: "Scout" }, inputPreview: { query: "gRPC" } }))).toBe("Helper Scout: gRPC");
});

test("a run whose helper asks for approval waits", () => {
  expect(runState(run({ parts: [pendingApproval] })).word).toBe("waiting for approval");
  expect(runState(run({ parts: [pendingApproval], status: "aborted" })).word).toBe("aborted");
});

test("a run whose helper asks a question waits, and a paused run does nothing", () => {
  const ask = { ...pendingApproval, type: "tool-ask" } as const;
  expect(runState(run({ parts: [ask] })).word).toBe("waiting for an answer");
  const [info] = Object.values(parseRunInfos([{ runId: "r1", status: "paused", elapsed: 1 }], 7));
  expect(runState(run({ parts: [ask] }), info).word).toBe("paused");
  expect(runState(run({ status: "completed" }), info).word).toBe("completed");
});

test("only a run that did not complete has a reason", () => {
  expect(runReason(run({ error: "left over", status: "completed" }))).toBe("");
  expect(runReason(run({ error: "the model is busy", status: "error" }))).toBe("the model is busy");
  expect(runReason(run({ reason: "no-progress", status: "interrupted", childStillRunning: true }))).toBe(
    "no progress; the helper is still at work",
  );
});

test("a run that did not complete is shown with advice", () => {
  expect(runAdvice(run())).toBe("");
  expect(runAdvice(run({ status: "completed" }))).toBe("");
  expect(runAdvice(run({ status: "interrupted", reason: "budget-exceeded" }))).toContain("Ask for less");
  expect(runAdvice(run({ status: "interrupted", childStillRunning: true }))).toContain("Open it to see");
  expect(runAdvice(run({ status: "aborted" }))).toContain("go on from there");
  expect(runAdvice(run({ status: "error" }))).toContain("given anew");
});
