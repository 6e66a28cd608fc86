// A clock that was moved by an hour, in development and in a deployment.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Client, connect } from "./client.ts";
import { build, start } from "./server.ts";

const hour = 3_600_000;

before(build);

/** Defines a test on an object whose Worker has these variables. */
const under = (vars: Record<string, string>, name: string, run: (client: Client) => Promise<void>) =>
  test(name, async (t) => {
    const server = await start(vars);
    t.after(() => server.stop());
    const client = await connect(server, "timed");
    await run(client);
    await client.close();
  });

/** How many hours the object's clock is ahead, rounded. */
async function ahead(client: Client): Promise<number> {
  client.send("now");
  return Math.floor((Number(await client.receive()) - Date.now()) / hour + 0.5);
}

under({ TRIBUTARY_ENV: "development", TRIBUTARY_CLOCK: `+${hour}` }, "an hour ahead", async (client) => {
  assert.equal(await ahead(client), 1);
  // It is set for the object's time, and would otherwise go off in an hour.
  assert.equal(await client.request("alarm 1"), "durable.AlarmFired {}");
  assert.equal(await client.request("timer 1"), "durable.TimerFired {Timer:probe}");
});

under({ TRIBUTARY_CLOCK: `+${hour}` }, "a deployment's clock cannot be moved", async (client) => {
  assert.equal(await ahead(client), 0);
});
