// Workflows that wait while the clock jumps: one that sleeps and a paused one, and one that tries again and again. All of
// them go on in the same lives of the server, because each takes seconds to start.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Counter, counter } from "./counter";
import { type Client, freshName, hour, Office, until } from "./office";

const name = freshName();
let office: Office;
let client: Client;
let server: Counter;
/** The time of the objects when they were first asked after the jump. */
let woken: number;

/** The time of the objects. */
async function now(): Promise<number> {
  const { startedAt, elapsed } = await client.run("sleeper");
  return startedAt + elapsed;
}

const inTheFirstLife = async () => {
  await client.begin("Sleeper", "sleeper", { ahead: hour });
  await client.begin("Retrier", "refused", { url: `${server.url}/refused` });
  await client.begin("Patient", "patient", { url: server.url });
  await client.until("sleeper", "running");
  await client.until("patient", "waiting");
  await client.until("refused", "error");
  await client.call("pause", "patient", "a pause");
  await client.until("patient", "paused");
  const asked = client.chunks<{ toolCallId: string }>("patient", "tool-input-available")[0]?.toolCallId;
  client.send({ type: "cf_agent_tool_approval", toolCallId: asked, approved: true, autoContinue: true });
  expect(await client.call("signal", { run: "patient", name: "word", payload: "later", id: "s" })).toEqual({
    state: "kept",
  });
  expect(await client.run("patient")).toMatchObject({ status: "paused" });
};

beforeAll(async () => {
  server = await counter(({ path }, response, { count }) => {
    const status = path === "/refused" ? 400 : count("/charge") <= 4 ? 503 : 200;
    response.writeHead(path === "/caught" ? 200 : status).end();
  });
  office = await Office.open();
  client = await office.connect(name);
  await inTheFirstLife();
  client.close();
  await office.jump();
  client = await office.connect(name);
  woken = await now();
  // No server is killed while it runs: the time limit of an attempt would be over after the jump, and the attempt count.
  await client.begin("Retrier", "retrier", { url: `${server.url}/charge` });
});

afterAll(async () => {
  client.close();
  await office.close();
  server.stop();
});

test("a server that answers 503 four times is asked five times, after 1, 2, 4 and 8 seconds", async () => {
  expect(await client.until("retrier", "completed")).toMatchObject({ summary: "charged at attempt 5" });
  expect(server.count("/charge")).toBe(5);
  const fresh = await office.connect(name);
  await until(() => expect(fresh.steps("retrier").at(-1)?.data.state).toBe("completed"));
  const charges = fresh.steps("retrier").filter(({ data }) => data.state === "waiting");
  fresh.close();
  expect(charges.map(({ data }) => [data.attempt, data.attempts])).toEqual([1, 2, 3, 4].map((n) => [n, 5]));
  const failed = charges.map(({ data }) => Number(/503 at (\d+)$/.exec(data.error ?? "")?.[1]));
  // All of these are times of the objects.
  for (const [i, { data }] of charges.entries()) {
    const gap = (data.retryAt ?? 0) - (failed[i] ?? 0);
    expect(gap).toBeGreaterThanOrEqual(0.8 * 1000 * 2 ** i);
    expect(gap).toBeLessThanOrEqual(1.2 * 1000 * 2 ** i);
    if (i + 1 < failed.length) expect(failed[i + 1]).toBeGreaterThanOrEqual(data.retryAt ?? 0);
  }
});

test("a 400 that is permanent is asked for once", async () => {
  expect(server.count("/refused")).toBe(1);
  expect(await client.run("refused")).toMatchObject({ status: "error", error: expect.stringContaining("400 at ") });
});

test("a sleep of an hour ends with the jump", async () => {
  const { output } = await client.until("sleeper", "completed");
  const [due = 0, woke = 0] = output as number[];
  expect(woke).toBeGreaterThanOrEqual(due);
  expect(woke - woken).toBeLessThanOrEqual(2000);
});

test("a pause of an hour changes nothing of what the code gets", async () => {
  expect(await client.run("patient")).toMatchObject({ status: "paused" });
  await client.call("resume", "patient");
  expect(await client.until("patient", "completed")).toMatchObject({ summary: "true later" });
  expect(server.count("/caught")).toBe(0);
});
