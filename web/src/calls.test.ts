import { expect, test } from "vitest";
import { callsSummary, count, earlierCalls } from "./calls";
import type { ToolState } from "./tool";

const state = (word: string, tone: ToolState["tone"] = "calm"): ToolState => ({ word, tone });

test("calls are counted by their states", () => {
  expect(callsSummary([])).toBe("");
  expect(callsSummary([state("done")])).toBe("1 call");
  expect(callsSummary([state("done"), state("done")])).toBe("2 calls");
  expect(callsSummary([state("running"), state("done"), state("running")])).toBe("3 calls · 2 running · 1 done");
});

test("a number has its unit", () => {
  expect([0, 1, 2].map((number) => count(number, "call"))).toEqual(["0 calls", "1 call", "2 calls"]);
});

test.each<[string, number, ToolState[]]>([
  ["a few calls are shown", 0, Array(10).fill(state("done"))],
  ["of many calls the last ones are shown", 3, Array(11).fill(state("done"))],
  ["a call that runs is shown", 4, [...Array(4).fill(state("done")), ...Array(12).fill(state("running", "live"))]],
  ["a call that waits is shown", 0, [state("waiting", "caution"), ...Array(40).fill(state("done"))]],
])("%s: %d are left out", (_, earlier, states) => {
  expect(earlierCalls(states)).toBe(earlier);
});
