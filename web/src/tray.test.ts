import { expect, test } from "vitest";
import { pendingApproval, run } from "./sample";
import { trayOf, traySummary } from "./tray";

const runs = [
  run({ runId: "a", status: "completed" }),
  run({ runId: "b" }),
  run({ runId: "c", status: "error" }),
  run({ runId: "d", parts: [pendingApproval] }),
  run({ runId: "e" }),
];

test("runs that wait come first, then running ones, then ended ones", () => {
  expect(trayOf(runs).map(({ runId }) => runId)).toEqual(["d", "b", "e", "a", "c"]);
});

test("a tray is summarised in words", () => {
  expect(traySummary(runs)).toBe("1 waiting for approval, 2 running, 1 completed, 1 failed");
});
