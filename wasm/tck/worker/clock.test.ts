// A clock that is moved, as the tests of what an hour does move it.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { dial, type Line } from "./line.ts";
import { build, start } from "./server.ts";

const hour = 3_600_000;

before(build);

/** A test on an object whose Worker has these variables. */
const under = (vars: Record<string, string>, name: string, run: (line: Line) => Promise<void>) =>
  test(name, async (t) => {
    const server = await start(vars);
    t.after(() => server.stop());
    const line = await dial(server, "timed");
    await run(line);
    await line.close();
  });

/** How many hours the object's clock is ahead, to the nearest. */
async function ahead(line: Line): Promise<number> {
  line.say("now");
  return Math.floor((Number(await line.hear()) - Date.now()) / hour + 0.5);
}

under({ TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: `+${hour}` }, "an hour ahead", async (line) => {
  assert.equal(await ahead(line), 1);
  // It is set for the object's time, and would otherwise go off in an hour.
  assert.equal(await line.ask("alarm 1"), "durable.AlarmFired {}");
  assert.equal(await line.ask("timer 1"), "durable.TimerFired {Timer:probe}");
});

under({ TRIBUTARY_CLOCK: `+${hour}` }, "a deployment's clock cannot be moved", async (line) => {
  assert.equal(await ahead(line), 0);
});
