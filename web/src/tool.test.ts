import { expect, test } from "vitest";
import type { ToolPart } from "./part";
import { openCallStateOf, toolState } from "./tool";

const call = { type: "tool-research", toolCallId: "c", input: {} } as const;
const asked = { ...call, type: "tool-ask" } as const;
const done = (output: unknown): ToolPart => ({ ...call, state: "output-available", output });

test.each<[string, ToolPart]>([
  ["running", { ...call, state: "input-streaming" }],
  ["running", { ...call, state: "input-available" }],
  ["waiting for approval", { ...call, state: "approval-requested", approval: { id: "a" } }],
  ["waiting for an answer", { ...asked, state: "input-available" }],
  ["waiting for an answer", { ...asked, state: "approval-requested", approval: { id: "a" } }],
  ["running", { ...call, state: "approval-responded", approval: { id: "a", approved: true } }],
  ["denied", { ...call, state: "approval-responded", approval: { id: "a", approved: false } }],
  ["denied", { ...call, state: "output-denied", approval: { id: "a", approved: false } }],
  ["failed", { ...call, state: "output-error", errorText: "no" }],
  ["done", done("summary")],
  ["failed", done({ ok: false, status: "error", error: "no" })],
  ["interrupted", done({ ok: false, status: "interrupted" })],
  ["stopped", done({ ok: false, status: "aborted", error: "the run was cancelled" })],
  ["stopped", { ...call, state: "output-error", errorText: "the turn was stopped" }],
  ["stopped", { ...call, state: "output-error", errorText: "the run was cancelled" }],
  ["stopped", { ...call, state: "output-error", errorText: "it was stopped" }],
  ["stopped", { ...call, state: "output-error", errorText: "the code has ended without waiting for it" }],
])("%s is what is said of %j", (word, part) => {
  expect(toolState(part, true).word).toBe(word);
});

test("a call that was approved goes on in the next turn", () => {
  const approved: ToolPart = { ...call, state: "approval-responded", approval: { id: "a", approved: true } };
  expect(toolState(approved, false).word).toBe("approved, goes on");
});

test("a call whose turn has ended is not shown as running", () => {
  expect(toolState({ ...call, state: "input-available" }, false).word).toBe("unfinished");
});

test.each<[string, Parameters<typeof openCallStateOf>[0]]>([
  ["stopped", "aborted"],
  ["unfinished", "error"],
  ["unfinished", "interrupted"],
])("a call that is left %s was open when its run ended as %s", (word, status) => {
  const open: ToolPart[] = [
    { ...call, state: "input-available" },
    { ...asked, state: "input-available" },
    { ...call, state: "approval-requested", approval: { id: "a" } },
  ];
  for (const part of open) expect(toolState(part, false, openCallStateOf(status)).word).toBe(word);
});

test("a call that a person has stopped shows no error", () => {
  expect(
    toolState({ ...call, state: "output-error", errorText: "the turn was stopped" }, false).reason,
  ).toBeUndefined();
});

test("a failed helper's error is shown in words", () => {
  const output = { ok: false, status: "error", error: "the model is busy", reason: "rate-limit", retryable: true };
  expect(toolState(done(output), false).reason).toBe("the model is busy: rate-limit; it can be tried again");
});
