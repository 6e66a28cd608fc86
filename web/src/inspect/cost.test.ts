import { expect, test } from "vitest";
import { bytesText, costRows, countText, sumOf } from "./cost";
import type { Cost, Inspection } from "./inspection";

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1, modelCalls: 1 });
const cost = (path: string, statements: number): Cost => ({
  path,
  since: 1,
  statements,
  rowsRead: 0,
  rowsWritten: 0,
  down: 0,
  up: 0,
});
const inspection: Inspection = {
  class: "Assistant",
  name: "room",
  now: 5,
  usage: usage(60),
  own: usage(10),
  helpers: [
    { run: "r2", class: "Planner", path: "helper-2", usage: usage(30) },
    { run: "r1", class: "Researcher", path: "helper-1", usage: usage(20) },
  ],
  costs: [cost("", 100), cost("helper-2", 7), cost("helper-2/helper-1", 5), cost("helper-20", 1000)],
  sections: [],
  tables: [],
};

test("the agent comes first, then each helper with those of its helpers that are awake", () => {
  const rows = costRows(inspection);
  const seen = rows.map((row) => [row.class, row.run?.name, row.cost?.statements, row.usage?.inputTokens]);
  expect(seen).toEqual([
    ["Assistant", undefined, 100, 10],
    ["Researcher", "r1", undefined, 20],
    ["Planner", "r2", 7, 30],
    ["Helper", undefined, 5, undefined],
  ]);
  expect(sumOf(rows, "statements")).toBe(112);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [12_345, "12.3 kB"],
  [3_100_000, "3.1 MB"],
])("%d bytes are shown as %s", (bytes, want) => expect(bytesText(bytes)).toBe(want));

test("a large count has separators", () => expect(countText(1_234_567)).toBe("1,234,567"));
