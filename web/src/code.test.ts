import { expect, test } from "vitest";
import { codeOf, codeState, madeByCode, outcomeOf, pretty } from "./code";
import type { ToolPart } from "./part";
import { codeCall, codeWith, made, nested } from "./sample";

test("code is known by the tool's name and its input", () => {
  expect(codeOf(codeCall)).toContain("return 1");
  expect(codeOf({ ...codeCall, type: "tool-search" })).toBeUndefined();
  expect(codeOf({ ...codeCall, input: { code: 7 } })).toBeUndefined();
  expect(codeOf({ ...codeCall, state: "input-streaming", input: undefined })).toBeUndefined();
});

test("the output says what has come of code", () => {
  expect(outcomeOf(codeWith({ status: "completed", result: [1], logs: ["a", 2] }))).toEqual({
    status: "completed",
    result: [1],
    logs: ["a", "2"],
    error: "",
  });
  expect(outcomeOf(codeWith({ status: "failed", error: "TypeError: no (line 2)", calls: 7 }))).toEqual({
    status: "failed",
    result: undefined,
    logs: [],
    error: "TypeError: no (line 2)",
  });
});

test.each<ToolPart>([
  codeCall,
  codeWith("text"),
  codeWith({ status: "odd" }),
  { ...codeCall, state: "output-available", preliminary: true, output: { status: "completed" } },
])("%j has no outcome", (part) => {
  expect(outcomeOf(part)).toBeUndefined();
});

test.each<[string, string | undefined, ToolPart]>([
  ["completed", undefined, codeWith({ status: "completed" })],
  ["failed", "TypeError: no (line 2)", codeWith({ status: "failed", error: "TypeError: no (line 2)" })],
  ["failed", "the code failed", codeWith({ status: "failed" })],
  ["failed", "no room", { ...codeCall, state: "output-error", errorText: "no room" }],
  ["stopped", undefined, { ...codeCall, state: "output-error", errorText: "the run was cancelled" }],
  ["waiting for approval", undefined, { ...codeCall, state: "approval-requested", approval: { id: "a" } }],
  ["running", undefined, codeCall],
])("%s, because of %j, is what is said of code", (word, reason, part) => {
  const said = codeState(nested(part), true);
  expect([said.word, said.reason]).toEqual([word, reason]);
});

test("calls are made by code if code has made them, or one of its calls", () => {
  const inner = made("running", 1, "c/1");
  const other: ToolPart = { ...codeCall, type: "tool-compare", toolCallId: "d" };
  const parts = [codeCall, made("waiting"), inner, other, made("waiting", 1, "d")];
  expect([...madeByCode(parts)]).toEqual([parts[1], inner]);
});

test("a value is shown as text, and a long one in part", () => {
  expect(pretty({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(pretty("text")).toBe("text");
  expect(pretty(null)).toBe("null");
  expect(pretty("x".repeat(21_500))).toBe(`${"x".repeat(20_000)}\n… 1,500 more characters`);
});
