import { expect, test } from "vitest";
import { below, callerOf, nest } from "./nested";
import type { MessagePart } from "./part";
import { codeCall, made } from "./sample";

const text: MessagePart = { type: "text", text: "so" };
const first = made("done", 1);
const second = made("done", 2);
const inner = made("done", 1, "c/2");

test("a call that a model has made has no caller", () => {
  expect(callerOf(codeCall)).toBe("");
  expect(callerOf({ ...codeCall, callProviderMetadata: { tributary: { parent: 1 as never } } })).toBe("");
  expect(callerOf(first)).toBe("c");
});

test("calls are below the call whose code has made them, in their order, and nowhere else", () => {
  expect(nest([text, codeCall, first, text, second])).toEqual([
    { part: text, index: 0, calls: [] },
    {
      part: codeCall,
      index: 1,
      calls: [
        { part: first, index: 2, calls: [] },
        { part: second, index: 4, calls: [] },
      ],
    },
    { part: text, index: 3, calls: [] },
  ]);
});

test("a call below a call has calls of its own", () => {
  const [outer] = nest([codeCall, first, second, inner]);
  expect(outer?.calls[1]?.calls).toEqual([{ part: inner, index: 3, calls: [] }]);
  expect(outer && below(outer)).toEqual([first, second, inner]);
});

test.each([
  ["is not in the message", [first, text], [first, text]],
  ["comes later", [first, codeCall], [first, codeCall]],
  ["is the call itself", [made("done", 1, "c"), made("done", 1, "c/1")].slice(1), [made("done", 1, "c/1")]],
])("a call whose caller %s stays where it is", (_, parts: MessagePart[], outer: MessagePart[]) => {
  expect(nest(parts).map(({ part }) => part)).toEqual(outer);
});
