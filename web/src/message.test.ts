import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { hasVisiblePart, textOf } from "./message";

function message(...parts: UIMessage["parts"]): UIMessage {
  return { id: "m", role: "assistant", parts };
}

test("a message with text is visible", () => {
  expect(hasVisiblePart(message({ type: "step-start" }, { type: "text", text: "hello" }))).toBe(true);
});

test("a message that has only begun is not", () => {
  expect(hasVisiblePart(message())).toBe(false);
  expect(hasVisiblePart(message({ type: "step-start" }, { type: "text", text: " \n" }))).toBe(false);
});

test("the text of a message is its text parts and nothing else", () => {
  const parts = message({ type: "text", text: "a" }, { type: "step-start" }, { type: "text", text: "b" });
  expect(textOf(parts)).toBe("ab");
});
