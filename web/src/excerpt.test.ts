import { expect, test } from "vitest";
import { excerpt, hiddenWords } from "./excerpt";

test.each([
  ["", 4, "", 0],
  ["one line", 1, "one line", 0],
  ["one line\n", 1, "one line\n", 0],
  ["one\ntwo", 2, "one\ntwo", 0],
  ["one\ntwo\nthree", 2, "one\ntwo…", 6],
  ["one\n\n\n\n\nsix", 3, "one…", 8],
  ["x".repeat(180), 2, "x".repeat(180), 0],
  ["x".repeat(181), 2, `${"x".repeat(180)}…`, 1],
  [`one\n${"x".repeat(1000)}`, 3, `one\n${"x".repeat(180)}…`, 820],
  [`${"x".repeat(90)}\n`.repeat(5), 4, `${`${"x".repeat(90)}\n`.repeat(3)}${"x".repeat(90)}…`, 92],
])("of %j, %d lines are %j, with %d characters hidden", (text, lines, shown, hidden) => {
  expect(excerpt(text, lines)).toEqual({ shown, hidden });
});

test("one character is told as one, and thousands are told apart", () => {
  expect([1, 2, 12345].map(hiddenWords)).toEqual([
    "1 hidden character",
    "2 hidden characters",
    "12,345 hidden characters",
  ]);
});
