// A workflow of ten steps that each post to a server. workerd is killed at many moments of it, and every step is
// finished once. WORKFLOW_KILLS=50 vitest run --config e2e/vitest.config.ts --project workflow kill
// is the long form.
import { afterAll, beforeAll, expect, test } from "vitest";
import { generator } from "../random";
import { type Counter, counter } from "./counter";
import { type Client, freshName, Office, until } from "./office";

/** Whether this is the long form, how many kills there are, and the seed of their moments. */
const long = process.env.WORKFLOW_KILLS !== undefined;
const kills = Number(process.env.WORKFLOW_KILLS ?? 10);
const seed = Number(process.env.WORKFLOW_SEED ?? 1);
const steps = 10;
/** How many kills a run has. */
const each = 5;

/** The moments of a step: what has happened when the server is killed. */
const moments = ["asked", "half answered", "answered", "told once", "told twice"] as const;
type Moment = (typeof moments)[number];
const all = Array.from({ length: steps }, (_, step) => moments.map((moment) => ({ step, moment })))
  .flat()
  .slice(0, -2); // nothing has to be told after the last answer while no client is connected

const order = (step: number, moment: Moment) => step * moments.length + moments.indexOf(moment);

/** The kills, spread over all moments. Each is at a moment of its own share of them. */
const random = generator(seed);
const chosen = Array.from({ length: kills }, (_, i) => {
  const [from, to] = [(i * all.length) / kills, ((i + 1) * all.length) / kills];
  return all[Math.floor(from + random() * (to - from))] as { step: number; moment: Moment };
});
const runs = Math.ceil(kills / each);
/** The kills of each run, in their order. */
const plans = Array.from({ length: runs }, (_, run) => chosen.filter((_, i) => i % runs === run));

let office: Office;
let posts: Counter;
/** Called at every moment of a step. */
let reached = (_step: number, _moment: Moment) => {};

beforeAll(async () => {
  posts = await counter(({ path, key }, response) => {
    const step = Number(path.slice(1));
    reached(step, "asked");
    const answer = `${step} ${key}`;
    response.writeHead(200, { "content-length": answer.length });
    response.write(answer.slice(0, 9), () => {
      reached(step, "half answered");
      response.end(answer.slice(9), () => reached(step, "answered"));
    });
  });
  office = await Office.open();
});

afterAll(async () => {
  await office.close();
  posts.stop();
});

/** Checks what the server was asked for, and what the run has returned. Returns how many posts were repeated. */
function finishedOnce(output: unknown): number {
  const numbers = posts.asked.map(({ path }) => Number(path.slice(1)));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b)); // a step that has ended is not made again
  const keys = new Map(posts.asked.map(({ path, key }) => [path, key]));
  for (const { path, key } of posts.asked) expect(key).toBe(keys.get(path));
  expect([keys.size, new Set(keys.values()).size]).toEqual([steps, steps]);
  expect(output).toEqual(Array.from({ length: steps }, (_, step) => `${step} ${keys.get(`/${step}`)}`));
  return posts.asked.length - steps;
}

for (const [number, plan] of plans.entries()) {
  const title = plan.map(({ step, moment }) => `step ${step} was ${moment}`).join(", ");
  test(`run ${number} of WORKFLOW_SEED=${seed}, killed when ${title}`, async () => {
    const [name, id] = [freshName(), "r"];
    posts.asked.length = 0;
    let [killed, told, answered] = [0, 0, -1];
    let client: Client | undefined;
    let restarted = Promise.resolve();
    const connect = async () => {
      const fresh = await office.connect(name);
      client = fresh;
      fresh.heard = () => {
        if (client !== fresh || answered < 0) return;
        told++;
        if (told === 1) reached(answered, "told once");
        if (told === 2) reached(answered, "told twice");
      };
    };
    reached = (step, moment) => {
      if (moment === "answered") [answered, told] = [step, 0];
      const next = plan[killed];
      // What a client is told may come late or never: the next moment that is reached counts then.
      if (next === undefined || order(next.step, next.moment) > order(step, moment)) return;
      killed++;
      client?.close();
      client = undefined;
      office.kill();
      restarted = office.ready().then(connect);
    };
    await connect();
    // The first kill may come before the method has answered.
    await client?.begin("Poster", id, { url: posts.url, steps }).catch((error: unknown) => {
      if (killed === 0) throw error;
    });
    const run = await until(async () => {
      await restarted;
      const run = await client?.run(id);
      expect(run).toMatchObject({ status: "completed" });
      return run;
    });
    expect(killed).toBe(plan.length);
    expect(finishedOnce(run?.output)).toBeLessThanOrEqual(plan.length);
    // A run may take 35 s after the last start. The long form, on a quiet machine, holds it to that, by one clock.
    if (long) expect((run?.completedAt ?? 0) - office.startedAt).toBeLessThanOrEqual(35_000);
    client?.close();
  });
}

test("a run that nobody looks at goes on after a kill", async () => {
  const [name, id] = [freshName(), "r"];
  posts.asked.length = 0;
  let killed = 0;
  const client = await office.connect(name);
  reached = (step, moment) => {
    if (step !== 5 || moment !== "asked" || killed++ > 0) return;
    client.close();
    office.kill();
  };
  const finished = Promise.withResolvers<void>();
  const counting = reached;
  reached = (step, moment) => {
    counting(step, moment);
    if (step === steps - 1 && moment === "answered") finished.resolve();
  };
  await client.begin("Poster", id, { url: posts.url, steps });
  await finished.promise;
  await office.ready();
  const later = await office.connect(name);
  const run = await later.until(id, "completed");
  expect(finishedOnce(run.output)).toBe(1);
  later.close();
});
