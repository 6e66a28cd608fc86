import { expect, test } from "vitest";
import { errorLine, isLong, linesOf, shownLines } from "./codelines";

test("code has its lines, without the empty ones at its end", () => {
  expect(linesOf("a\r\n\n b\n\n")).toEqual(["a", "", " b"]);
  expect(linesOf("")).toEqual([""]);
});

test.each([
  ["TypeError: x is not a function (line 4)", 4],
  ["SyntaxError: unexpected token (line 1)\n", 1],
  ["it said (line 2) before (line 3)", 3],
  ["it said (line 2) before", undefined],
  ["beyond the end (line 10)", undefined],
  ["before the beginning (line 0)", undefined],
  ["the code waits for something that nobody brings", undefined],
  [undefined, undefined],
])("of 9 lines, %j names %j", (error, line) => {
  expect(errorLine(error, 9)).toBe(line);
});

const to = (from: number, last: number) => Array.from({ length: last - from + 1 }, (_, i) => from + i);

test.each<[string, Parameters<typeof shownLines>, number[]]>([
  ["short code is whole", [15, undefined, false], to(1, 15)],
  ["of long code the beginning is shown", [16, undefined, false], to(1, 12)],
  ["long code is whole on request", [16, 14, true], to(1, 16)],
  ["a line at the beginning needs nothing more", [40, 12, false], to(1, 12)],
  ["a line behind the beginning follows without a gap", [40, 14, false], to(1, 15)],
  ["a line further on has its neighbours", [40, 30, false], [...to(1, 12), 0, 29, 30, 31]],
  ["the last line has one neighbour", [40, 40, false], [...to(1, 12), 0, 39, 40]],
])("%s", (_, [lines, marked, whole], shown) => {
  expect(shownLines(lines, marked, whole)).toEqual(shown);
});

test("code is long by its lines, or by one of them", () => {
  const many = (lines: number) => Array<string>(lines).fill("f();");
  expect([many(15), many(16), ["x".repeat(400)], ["", "x".repeat(401)]].map(isLong)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
