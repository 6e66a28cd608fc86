import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { posted } from "./posted";

const said = (id: string, role: UIMessage["role"]): UIMessage => ({ id, role, parts: [{ type: "text", text: id }] });

test("what is new goes along whole, and of what was before no more than its name", () => {
  const list = [said("u1", "user"), said("a1", "assistant"), said("u2", "user"), said("u3", "user")];
  expect(posted(list)).toEqual([{ ...said("a1", "assistant"), parts: [] }, said("u2", "user"), said("u3", "user")]);
});

test("a first question goes along whole", () => {
  expect(posted([said("u1", "user")])).toEqual([said("u1", "user")]);
});

test("an answer that is gone on with is named", () => {
  expect(posted([said("u1", "user"), said("a1", "assistant")])).toEqual([{ ...said("a1", "assistant"), parts: [] }]);
});
