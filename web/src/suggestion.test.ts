import { expect, test } from "vitest";
import { suggestionOf } from "./suggestion";

test.each([
  ["What can you do?", "What can you do?", ""],
  ["Answer slowly chunks=200 delay=120", "Answer slowly", "chunks=200 delay=120"],
  ["chunks=200 first", "chunks=200 first", ""],
  ["Solve 2x = 5 with x=5", "Solve 2x = 5 with x=5", ""],
  ["tool=background", "tool=background", ""],
  ["", "", ""],
])("%j is said as %j with %j", (text, words, knobs) => {
  expect(suggestionOf(text)).toEqual({ words, knobs });
});
