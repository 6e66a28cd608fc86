import { expect, test } from "vitest";
import { preview } from "./preview";

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
