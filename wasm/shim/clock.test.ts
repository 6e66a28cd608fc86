import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Clock } from "./clock.ts";

const cases: { title: string; env: Record<string, unknown>; now: number }[] = [
  { title: "an hour ahead", env: { TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: "+3600000" }, now: 3_605_000 },
  { title: "without a sign", env: { TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: "1000" }, now: 6000 },
  { title: "back", env: { TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: "-1000" }, now: 4000 },
  { title: "not moved", env: { TRIBUTARY_ENV: "development" }, now: 5000 },
  { title: "moved by nothing", env: { TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: "" }, now: 5000 },
  { title: "a deployment", env: { TRIBUTARY_CLOCK: "+3600000" }, now: 5000 },
  { title: "a deployment with nonsense", env: { TRIBUTARY_ENV: "production", TRIBUTARY_CLOCK: "soon" }, now: 5000 },
];
for (const { title, env, now } of cases) {
  test(`${title}: events are told ${now} at 5000, and an alarm then is the platform's at 5000`, (t: TestContext) => {
    t.mock.timers.enable({ apis: ["Date"], now: 5000 });
    const clock = new Clock(env);
    assert.equal(clock.now(), now);
    assert.equal(clock.platform(clock.now()), 5000);
  });
}

for (const TRIBUTARY_CLOCK of ["soon", "1h", "0.5", "1e3", " ", "+", "9".repeat(14)]) {
  test(`a clock moved by "${TRIBUTARY_CLOCK}" is refused`, () => {
    assert.throws(() => new Clock({ TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK }), {
      name: "RangeError",
      message: `TRIBUTARY_CLOCK is "${TRIBUTARY_CLOCK}", not a number of milliseconds such as +3600000`,
    });
  });
}
