import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import { failed, retried } from "./forward.ts";

const passing = Object.assign(new Error("reset"), { retryable: true });
const overloaded = Object.assign(new Error("overloaded"), { retryable: true, overloaded: true });
const broken = new Error("broken");

const cases: { title: string; errors: unknown[]; repeatable?: boolean; calls: number; want: unknown }[] = [
  { title: "success", errors: [], calls: 1, want: "done" },
  { title: "one retryable error", errors: [passing], calls: 2, want: "done" },
  { title: "two retryable errors", errors: [passing, passing], calls: 3, want: "done" },
  { title: "three retryable errors", errors: [passing, passing, passing], calls: 3, want: passing },
  { title: "an overloaded object", errors: [overloaded], calls: 1, want: overloaded },
  { title: "an error of the object", errors: [broken], calls: 1, want: broken },
  { title: "a request with a body", errors: [passing], repeatable: false, calls: 1, want: passing },
  { title: "an error that is no object", errors: [null], calls: 1, want: null },
];
for (const { title, errors, repeatable = true, calls, want } of cases) {
  test(`${title}: ${calls} calls`, async (t: TestContext) => {
    const delays: number[] = [];
    t.mock.method(globalThis, "setTimeout", (wake: () => void, delay: number) => {
      delays.push(delay);
      wake();
    });
    const left = [...errors];
    const call = mock.fn(async () => {
      if (left.length > 0) throw left.shift();
      return "done";
    });
    const got = await retried(call, repeatable).catch((error: unknown) => error);
    assert.equal(got, want);
    assert.equal(call.mock.callCount(), calls);
    assert.equal(delays.length, calls - 1);
    assert.ok(
      delays.every((delay) => delay >= 100 && delay <= 800),
      `waited ${delays}`,
    );
  });
}

test("a failure does not reveal its cause", async (t: TestContext) => {
  const log = t.mock.method(console, "error", () => {});
  const busy = failed("agent", overloaded);
  assert.deepEqual([busy.status, await busy.text()], [503, "agent failed"]);
  assert.equal(failed("agent", broken).status, 500);
  assert.equal(log.mock.callCount(), 2);
});
