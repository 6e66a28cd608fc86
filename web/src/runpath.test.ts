import { expect, test } from "vitest";
import { formatRun, parseRun } from "./runpath";

test("a run is written as its class and its id", () => {
  expect(formatRun([{ agent: "Researcher", name: "r1" }])).toBe("Researcher/r1");
});

test.each([
  [[{ agent: "Researcher", name: "call_1:a" }]],
  [[{ agent: "Planner", name: "50% of a/b" }]],
  [
    [
      { agent: "Planner", name: "p" },
      { agent: "Researcher", name: "r" },
    ],
  ],
])("%j is read as it was written", (path) => {
  expect(parseRun(formatRun(path))).toEqual(path);
});

test.each(["", "/", "Researcher", "Researcher/", "/r1", "Researcher/r1/Planner", "Researcher/%E0%A4"])(
  "%j leads nowhere",
  (text) => {
    expect(parseRun(text)).toEqual([]);
  },
);
