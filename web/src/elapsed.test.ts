import { expect, test } from "vitest";
import { elapsed, tokens } from "./elapsed";

test.each([
  [-5, "0 s"],
  [0, "0 s"],
  [59_999, "59 s"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
])("%d ms are %s", (ms, text) => {
  expect(elapsed(ms)).toBe(text);
});

test.each([
  [0, "0 tokens"],
  [1, "1 token"],
  [999, "999 tokens"],
  [12_350, "12.3k tokens"],
  [250_000, "250k tokens"],
])("%d are %s", (count, text) => {
  expect(tokens(count)).toBe(text);
});
