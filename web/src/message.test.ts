import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { textAttachment } from "./attachment";
import { failureOf, hasVisiblePart, milestoneOf, noteOf, textOf } from "./message";

function message(...parts: UIMessage["parts"]): UIMessage {
  return { id: "m", role: "assistant", parts };
}

test("a message with text is visible", () => {
  expect(hasVisiblePart(message({ type: "step-start" }, { type: "text", text: "hello" }))).toBe(true);
});

test("a message that has only begun is not visible", () => {
  expect(hasVisiblePart(message())).toBe(false);
  expect(hasVisiblePart(message({ type: "step-start" }, { type: "text", text: " \n" }))).toBe(false);
});

test("a message that has only called a tool is visible", () => {
  const call = { type: "tool-research", toolCallId: "c", state: "input-available", input: {} } as const;
  expect(hasVisiblePart(message(call))).toBe(true);
});

test("a message with reasoning only is visible", () => {
  expect(hasVisiblePart(message({ type: "reasoning", text: "so" }))).toBe(true);
  expect(hasVisiblePart(message({ type: "reasoning", text: "" }))).toBe(false);
});

test("a milestone is known by its name", () => {
  expect(milestoneOf({ type: "data-agent-milestone", data: { name: "drafted", sequence: 0 } })).toBe("drafted");
});

test.each([
  { type: "data-agent-milestone", data: { name: 1 } },
  { type: "data-agent-milestone", data: null },
  { type: "data-weather", data: { name: "rain" } },
] as const)("%j is no milestone", (part) => {
  expect(milestoneOf(part)).toBeUndefined();
});

test("the text of a message is its text parts and nothing else", () => {
  const parts = message({ type: "text", text: "a" }, { type: "step-start" }, { type: "text", text: "b" });
  expect(textOf(parts)).toBe("ab");
});

test("the text of an attached file is not part of the message's text", () => {
  expect(textOf(message({ type: "text", text: "look" }, textAttachment("a.txt", "inside")))).toBe("look");
});

test.each([
  ["Overtaken by a later message", { supersededBy: "m2" }],
  ["Made of 2 messages", { merged: ["m1"] }],
  ["Made of 3 messages", { merged: ["m1", "m2"], other: true }],
  ["", { supersededBy: "", merged: [] }],
  ["", { supersededBy: 1, merged: "m1" }],
  ["", null],
  ["", undefined],
])("%j is said of a question with the metadata %j", (note, metadata) => {
  expect(noteOf({ ...message({ type: "text", text: "a" }), role: "user", metadata })).toBe(note);
});

test.each([
  ["", undefined],
  ["", { createdAt: 1 }],
  ["", { failure: 1 }],
  ["the model refused", { createdAt: 1, failure: "the model refused" }],
])("%j is why an answer with the metadata %j is not whole", (failure, metadata) => {
  expect(failureOf({ ...message({ type: "text", text: "a" }), metadata })).toBe(failure);
});
