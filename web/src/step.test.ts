import { expect, test } from "vitest";
import type { MessagePart } from "./part";
import { stepOf, stepState, stepSummary, stepsOf } from "./step";

const part = (data: object): MessagePart => ({ type: "data-step", id: "0.1", data });
const charge = { name: "charge", state: "running", attempt: 1, attempts: 5 };

test("a step has its attempts, and what the last one said", () => {
  const waiting = { ...charge, state: "waiting", attempt: 2, error: "503", retryAt: 1000 };
  expect(stepOf(part(waiting))).toEqual({ ...waiting, state: "waiting" });
  expect(stepOf(part(charge))).toMatchObject({ error: "", retryAt: 0 });
});

test("a part without a name, with an unknown state or of another type is no step", () => {
  expect(stepsOf([part({ state: "running" }), part({ ...charge, state: "odd" }), { type: "text", text: "x" }])).toEqual(
    [],
  );
});

test.each([
  [{ state: "running" }, true, "running"],
  [{ state: "running", attempt: 3 }, true, "attempt 3 of 5"],
  [{ state: "waiting", attempt: 3 }, true, "waits for attempt 4 of 5"],
  [{ state: "completed" }, true, "done"],
  [{ state: "completed", attempt: 2 }, true, "done at attempt 2"],
  [{ state: "failed", attempts: 1 }, true, "failed"],
  [{ state: "failed", attempt: 5 }, true, "failed, attempt 5 of 5"],
  [{ state: "running" }, false, "unfinished"],
  [{ state: "waiting" }, false, "unfinished"],
])("%j, live: %j, is %s", (fields, live, word) => {
  const [step] = stepsOf([part({ ...charge, ...fields })]);
  expect(step && stepState(step, live).word).toBe(word);
});

test("the summary counts what is done and names what is under way", () => {
  const done = part({ ...charge, name: "gather", state: "completed" });
  expect(stepSummary(stepsOf([]))).toBe("");
  expect(stepSummary(stepsOf([done]))).toBe("1 step done");
  expect(stepSummary(stepsOf([done, part({ ...charge, attempt: 2 })]))).toBe("1 step done, charge: attempt 2 of 5");
});
