import { expect, test } from "vitest";
import { freshName, isName } from "./name";

test("a fresh name is valid, can be read aloud, and is new each time", () => {
  const names = Array.from({ length: 200 }, freshName);
  for (const name of names) {
    expect(name).toMatch(/^[a-z]+-[a-z]+-[2-9a-z]{6}$/);
    expect(isName(name)).toBe(true);
  }
  expect(new Set(names).size).toBe(names.length);
});

test.each(["room1", "A.b_c-9", "x".repeat(128)])("%s names a conversation", (text) => {
  expect(isName(text)).toBe(true);
});

test.each(["", "..", "a/b", "a b", "a?b", "a#b", "a%20b", "-a", "x".repeat(129)])("%j names none", (text) => {
  expect(isName(text)).toBe(false);
});
