// Code that posts, in the middle of which workerd is killed: a call that has ended is not made again.
//
//   CODE_KILLS=20 vitest run --config e2e/vitest.config.ts --project code kill
//
// is the long form.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { generator } from "../random";
import { type Asked, type Counter, counter } from "../workflow/counter";
import { freshName, Office, until } from "../workflow/office";
import { Coder, directive, made, outputOf } from "./coder";

/** How many kills there are, and the seed of their moments. */
const kills = Number(process.env.CODE_KILLS ?? 3);
const seed = Number(process.env.CODE_SEED ?? 1);
/** How many calls the code makes, and how many kills it has at most. */
const calls = 100;
const each = 5;

/** The moments of a call: what has happened when the server is killed. "told": the page shows its result. */
const moments = ["asked", "half answered", "answered", "told"] as const;
type Moment = (typeof moments)[number];
const all = Array.from({ length: calls }, (_, call) => moments.map((moment) => ({ call, moment })))
  .flat()
  .slice(0, -2); // the code may be over after the last answer
const order = (call: number, moment: Moment) => call * moments.length + moments.indexOf(moment);

/** The kills, each from its own share of all moments. */
const random = generator(seed);
const chosen = Array.from({ length: kills }, (_, i) => {
  const [from, to] = [(i * all.length) / kills, ((i + 1) * all.length) / kills];
  return all[Math.floor(from + random() * (to - from))] as (typeof all)[number];
});
const runs = Math.ceil(kills / each);
const plans = Array.from({ length: runs }, (_, run) => chosen.filter((_, i) => i % runs === run));

let office: Office;
let server: Counter;
/** Answers a request to the counting server. */
let answer: (asked: Asked, response: ServerResponse) => void;

beforeAll(async () => {
  server = await counter((asked, response) => answer(asked, response));
  office = await Office.open({ config: inject("code") });
});

afterAll(async () => {
  await office.close();
  server.stop();
});

/** Calls with an odd number are made at most once. If one is lost, the code makes another one in its place. */
const sequence = (url: string) => `async () => {
  const answers = [], lost = [];
  while (answers.length < ${calls}) {
    const n = answers.length;
    const send = n % 2 ? tools.post : tools.repost;
    try { answers.push(await send({ url: "${url}/" + n })) } catch (error) { lost.push([n, error.message]) }
  }
  return { answers, lost };
}`;

for (const [number, plan] of plans.entries()) {
  const title = plan.map(({ call, moment }) => `call ${call} was ${moment}`).join(", ");
  test(`B1: run ${number} of CODE_SEED=${seed}, killed when ${title}`, async () => {
    const name = freshName();
    server.asked.length = 0;
    let [killed, answered] = [0, -1];
    let client: Coder | undefined;
    let restarted = Promise.resolve();
    const reached = (call: number, moment: Moment) => {
      const next = plan[killed];
      // A page may be told late: the next moment that is reached counts then.
      if (next === undefined || order(next.call, next.moment) > order(call, moment)) return;
      killed++;
      client?.close();
      client = undefined;
      office.kill();
      restarted = office.ready().then(connect);
    };
    const connect = async () => {
      const fresh = await Coder.open(office, name);
      client = fresh;
      fresh.heard = (frame) => {
        if (client === fresh && frame.includes("tool-output-available")) reached(answered, "told");
      };
    };
    answer = ({ path }, response) => {
      const call = Number(path.slice(1));
      reached(call, "asked");
      const text = `answer ${call}`;
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, 4), () => {
        reached(call, "half answered");
        response.end(text.slice(4), () => {
          answered = Math.max(answered, call);
          reached(call, "answered");
        });
      });
    };
    await connect();
    // The first kill may come before the method has answered.
    await client?.say(directive(sequence(server.url)), "turn").catch((error: unknown) => {
      if (killed === 0) throw error;
    });
    const message = await until(async () => {
      await restarted;
      if (!client) throw new Error("no client is connected");
      const turn = await client.call<{ status: string; messageId: string }>("submission", "turn");
      expect(turn).toMatchObject({ status: "completed" });
      return client.message(turn.messageId);
    });
    expect(killed).toBe(plan.length);
    const output = outputOf(message);
    expect(output.error).toBeUndefined();
    const { answers, lost } = output.result as { answers: string[]; lost: [number, string][] };
    expect(answers).toEqual(Array.from({ length: calls }, (_, call) => `answer ${call}`));
    expect(lost.length).toBeLessThanOrEqual(plan.length);
    for (const [call, words] of lost) {
      expect(call % 2).toBe(1);
      expect(words).toContain("it may or may not have happened");
    }
    const numbers = server.asked.map(({ path }) => Number(path.slice(1)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b)); // a call that has ended is not made again
    for (let call = 0; call < calls; call++) {
      const same = server.asked.filter(({ path }) => path === `/${call}`);
      // A call that may be repeated is one effect: all its requests have the same key.
      const effects = call % 2 ? same.length : new Set(same.map(({ key }) => key)).size;
      expect(effects, `call ${call}`).toBeGreaterThanOrEqual(1);
      // A lost call may not have reached the server.
      expect(effects, `call ${call}`).toBeLessThanOrEqual(1 + lost.filter(([n]) => n === call).length);
    }
    expect(made(message).map(({ state }) => state)).toHaveLength(calls + lost.length);
    expect(made(message).filter(({ state }) => state === "output-available")).toHaveLength(calls);
    client?.close();
  });
}

/** Sixteen calls at once, and what becomes of those that were not answered at a kill. */
const parallel = [
  { tool: "repost", becomes: "are repeated", again: 1 },
  { tool: "post", becomes: "reject", again: 0 },
];
for (const { tool, becomes, again } of parallel) {
  const title = `B2: of 16 calls at once, the eight that are answered at a kill are not made again, and the others ${becomes}`;
  test(title, async () => {
    const name = freshName();
    server.asked.length = 0;
    const { promise: over, resolve: restart } = Promise.withResolvers<void>();
    const early: string[] = [];
    answer = ({ path }, response) => {
      if (early.length < 8) early.push(path);
      if (early.includes(path)) response.end(path);
      else void over.then(() => response.end(path));
    };
    const first = await Coder.open(office, name);
    const shown = until(() => {
      const told = first.frames.filter((frame) => frame.includes("tool-output-available"));
      expect([told.length, server.asked.length]).toEqual([8, 16]);
    });
    const code = `const all = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => tools.${tool}({ url: "${server.url}/" + n })));
      return all.map(({ value, reason }) => value ?? reason.message)`;
    await first.say(directive(code), "turn");
    await shown;
    first.close();
    office.kill();
    restart();
    await office.ready();
    const second = await Coder.open(office, name);
    const message = await second.over("turn");
    const results = outputOf(message).result as string[];
    for (let n = 0; n < 16; n++) {
      const path = `/${n}`;
      const answered = early.includes(path);
      expect(server.count(path), path).toBe(answered ? 1 : 1 + again);
      if (answered || again) expect(results[n]).toBe(path);
      else expect(results[n]).toContain("it may or may not have happened");
    }
    expect(made(message)).toHaveLength(16);
    second.close();
  });
}

test("a tool that freezes the process each time is given up with words, and the conversation goes on", async () => {
  const name = freshName();
  server.asked.length = 0;
  answer = (_, response) => void response.end("well");
  const first = await Coder.open(office, name);
  await first.say(directive(`return await tools.freeze({ url: "${server.url}/freeze" })`), "turn");
  first.close();
  /** What the conversation says, or "" if the process does not answer. To ask wakes the conversation. */
  const told = () =>
    fetch(`${office.url}/agents/assistant/${name}/get-messages`, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.text(),
      () => "",
    );
  let kills = 0;
  for (let over = false; !over && kills < 12; ) {
    const words = await told();
    over = words.includes('"output-');
    if (over || words !== "") continue;
    kills++;
    office.kill();
    await office.ready();
  }
  expect(kills).toBeGreaterThanOrEqual(3);
  const last = await Coder.open(office, name);
  expect(await last.call("submission", "turn")).toMatchObject({
    status: "error",
    error: expect.stringContaining("given up"),
  });
  expect(await last.run("return 6 * 7")).toMatchObject({ status: "completed", result: 42 });
  last.close();
});
