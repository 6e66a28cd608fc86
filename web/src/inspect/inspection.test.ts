import { expect, test } from "vitest";
import { cellText, isBusy, parseInspection, sectionOf } from "./inspection";

const turn = { name: "turn", columns: ["seq", "ended_at"], rows: [[1, 0]], total: 1 };
const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0 };
const helpers = [{ run: "r", class: "Researcher", path: "helper-1", usage }];
const costs = [{ path: "", since: 1, statements: 2, rowsRead: 3, rowsWritten: 4, down: 5, up: 6 }];
const steps = { name: "steps", columns: ["step", "state"], rows: [["charge", "waiting"]], total: 1 };
const whole = {
  class: "Assistant",
  name: "room",
  now: 5,
  usage,
  own: usage,
  helpers,
  costs,
  sections: [steps],
  tables: [turn],
};

test("an inspection is read unchanged", () => {
  expect(parseInspection(whole)).toEqual(whole);
});

test.each([
  undefined,
  null,
  "no",
  {},
  { ...whole, tables: [{}] },
  { ...whole, sections: undefined },
  { ...whole, usage: 1 },
  { ...whole, own: {} },
  { ...whole, helpers: [{ ...helpers[0], usage: undefined }] },
  { ...whole, costs: [{ ...costs[0], up: "6" }] },
  { ...whole, costs: null },
])("%j is none", (answer) => {
  expect(() => parseInspection(answer)).toThrow("no inspection");
});

test("a section has a title, and one of a newer agent its name", () => {
  expect(sectionOf("steps").title).toBe("Steps of code");
  expect(sectionOf("voyages")).toEqual({ title: "voyages", meaning: "" });
});

test("an object is busy while a row of it has no end", () => {
  expect(isBusy(parseInspection(whole))).toBe(true);
  expect(isBusy({ ...whole, tables: [{ ...turn, rows: [[1, 7]] }] })).toBe(false);
});

test.each([
  ["started_at", 1_700_000_000_123, "2023-11-14 22:13:20.123"],
  ["due", 1_700_000_000_000, "2023-11-14 22:13:20.000"],
  ["ended_at", 0, "0"],
  ["seq", 1_700_000_000_123, "1700000000123"],
  ["what", 1_700_000_000_123, "1700000000123"],
  ["name", "room", "room"],
  ["body", null, "null"],
])("a cell of %s that holds %j shows %s", (column, value, want) => {
  expect(cellText(column, value)).toBe(want);
});
