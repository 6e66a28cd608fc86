import { expect, test } from "vitest";
import { deletedOf, isMissing, parseRunInfos, timeOf } from "./runinfo";

const usage = { inputTokens: 30, outputTokens: 12, modelCalls: 2 };

test("runs are parsed with their ids and their usage", () => {
  const answer = [
    { runId: "a", status: "running", startedAt: 5, elapsed: 3, usage },
    { runId: "b", status: "completed", startedAt: 5, completedAt: 9, elapsed: 4, usage: {} },
  ];
  const plain = { heardAt: 7, paused: false, labels: {}, restartOf: "", restartedAs: "" };
  expect(parseRunInfos(answer, 7)).toEqual({
    a: { ...plain, runId: "a", over: false, elapsed: 3, tokens: 42 },
    b: { ...plain, runId: "b", over: true, elapsed: 4, tokens: 0 },
  });
});

test("a run has its labels, whether it is paused, and the runs that it repeats or is repeated by", () => {
  const { a, b } = parseRunInfos(
    [
      { runId: "a", status: "paused", elapsed: 1, labels: { team: "blue", odd: 1 }, restartOf: "z" },
      { runId: "b", status: "error", elapsed: 1, labels: null, restartedAs: "b.1" },
    ],
    7,
  );
  expect(a).toMatchObject({ paused: true, labels: { team: "blue" }, restartOf: "z", restartedAs: "" });
  expect(b).toMatchObject({ paused: false, labels: {}, restartOf: "", restartedAs: "b.1" });
});

test.each([undefined, null, "no", {}, [null, 1, { runId: 1 }, { runId: "a", status: "running" }]])(
  "%j tells of no run",
  (answer) => {
    expect(parseRunInfos(answer, 7)).toEqual({});
  },
);

const hour = 3_600_000;

test.each([
  ["right", 0],
  ["an hour fast", hour],
  ["an hour slow", -hour],
])("a run's time is the server's where the browser's clock is %s", (_, wrong) => {
  const startedAt = 1_700_000_000_000;
  const heardAt = startedAt + 20_000 + wrong;
  const { a, b } = parseRunInfos(
    [
      { runId: "a", startedAt, elapsed: 20_000 },
      { runId: "b", startedAt, completedAt: startedAt + 8000, elapsed: 8000 },
    ],
    heardAt,
  );
  for (const [later, time] of [
    [0, 20_000],
    [5000, 25_000],
    [-900, 20_000], // the page's second had begun before the answer came
  ] as const) {
    expect(a && timeOf(a, heardAt + later)).toBe(time);
    expect(b && timeOf(b, heardAt + later)).toBe(8000);
  }
});

test("a run counts as deleted when a complete answer lacks it, until an answer lists it again", () => {
  const infos = parseRunInfos([{ runId: "a", elapsed: 1 }], 7);
  expect(deletedOf([], ["a", "b"], infos, true)).toEqual(["b"]);
  expect(deletedOf([], ["a", "b"], infos, false)).toEqual([]);
  expect(deletedOf(["c"], ["a", "b"], infos, false)).toEqual(["c"]);
  expect(deletedOf(["a", "c"], ["c"], infos, true)).toEqual(["c"]);
});

test("only a run that does not exist is missing", () => {
  expect(isMissing(new Error('there is no run "r1"'))).toBe(true);
  expect(isMissing(new Error("run r1 is over, and its end has still to be handed over"))).toBe(false);
  expect(isMissing("there is no run")).toBe(false);
});
