import { expect, test } from "vitest";
import { parseCallProgress } from "./callprogress";

const part = (data: object) => ({ type: "data-mcp-progress", id: "1", transient: true, data });

test.each([
  [
    { progress: 1, total: 4, message: "Counting" },
    { fraction: 0.25, message: "Counting" },
  ],
  [
    { progress: 1, total: 4 },
    { fraction: 0.25, message: "1 of 4" },
  ],
  [{ progress: 7 }, { fraction: undefined, message: "7" }],
  [
    { progress: 7, total: 0, message: "" },
    { fraction: undefined, message: "7" },
  ],
  [
    { progress: 9, total: 4 },
    { fraction: 1, message: "9 of 4" },
  ],
  [
    { progress: -9, total: 4 },
    { fraction: 0, message: "-9 of 4" },
  ],
])("%j is %j", (data, want) => {
  expect(parseCallProgress(part({ toolCallId: "c", ...data }))).toEqual({ toolCallId: "c", ...want });
});

test.each([
  undefined,
  { type: "data-agent-step", data: { toolCallId: "c", progress: 1 } },
  part({ progress: 1 }),
  part({ toolCallId: "c", progress: "1" }),
])("%j is no progress", (other) => {
  expect(parseCallProgress(other)).toBeUndefined();
});
