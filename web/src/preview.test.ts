import { expect, test } from "vitest";
import { hiddenIn, preview } from "./preview";

test.each([
  ["durable execution", "durable execution"],
  [{ query: "durable\n execution" }, "durable execution"],
  [{ a: "HTTP/3", b: "gRPC" }, "HTTP/3, gRPC"],
  [{ n: 8, query: "load" }, "load"],
  [{ n: 8 }, '{"n":8}'],
  [[1, 2], "[1,2]"],
  [{}, ""],
  ["", ""],
  [null, ""],
  [undefined, ""],
])("%j is previewed as %j", (value, want) => {
  expect(preview(value)).toBe(want);
});

test("a long input is shortened", () => {
  expect(preview("word ".repeat(40))).toMatch(/^.{50,59}…$/);
});

test.each([
  ["durable execution", 0],
  [{ query: "durable execution" }, 0],
  [{ a: "HTTP/3", b: "gRPC" }, 0],
  [{ n: 8 }, 0],
  [{}, 0],
  [undefined, 0],
  [{ to: "Ann", amount: 1000 }, '{"to":"Ann","amount":1000}'.length - 3],
  [{ to: "Ann", note: "" }, '{"to":"Ann","note":""}'.length - 3],
  [{ to: "Ann", also: ["Tom"] }, '{"to":"Ann","also":["Tom"]}'.length - 3],
  [{ n: "1".repeat(600) }, 600 + '{"n":""}'.length - 60],
])("of %j, the preview hides %d characters", (value, hidden) => {
  expect(hiddenIn(value)).toBe(hidden);
});
