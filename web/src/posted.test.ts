import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { posted } from "./posted";

const said = (id: string, role: UIMessage["role"]): UIMessage => ({ id, role, parts: [{ type: "text", text: id }] });

test("new messages are posted whole, and only the id of the message before them", () => {
  const list = [said("u1", "user"), said("a1", "assistant"), said("u2", "user"), said("u3", "user")];
  expect(posted(list)).toEqual([{ ...said("a1", "assistant"), parts: [] }, said("u2", "user"), said("u3", "user")]);
});

test("a first question is posted whole", () => {
  expect(posted([said("u1", "user")])).toEqual([said("u1", "user")]);
});

test("an answer that is continued is named", () => {
  expect(posted([said("u1", "user"), said("a1", "assistant")])).toEqual([{ ...said("a1", "assistant"), parts: [] }]);
});
