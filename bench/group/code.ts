// How fast a model's code runs, beside the model: alone, with calls, and when it is run again after a restart. And how long
// code without an end lasts, and how long others wait meanwhile. The agents are those of e2e/code. Neither the floor nor the
// peer's local engine has anything to compare.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { application } from "../../e2e/application.ts";
import { type Dev, dev } from "../../e2e/dev.ts";
import { type Counter, counter } from "../../e2e/workflow/counter.ts";
import { Tab } from "../tab.ts";
import type { Table } from "../table.ts";

/** How many calls are made one after the other. Those that are replayed are more. */
const calls = 100;
const replayed = 1000;

export async function code(table: Table, rounds: number): Promise<void> {
  const project = await application(join(import.meta.dirname, "../../e2e/code/agents"), ["Assistant", "Novice"]);
  const state = await mkdtemp(join(tmpdir(), "tributary-bench-code-"));
  const start = () => dev({ config: project.path("wrangler.jsonc"), state });
  const reached = await counter((_, response) => void response.end());
  let server = await start();
  try {
    await runs({ url: server.url }, "warm-up");
    for (let i = 0; i < rounds; i++) {
      await table.take(["code.first", "code.again", "code.call"], "tributary", () => runs(server, `runs-${i}`));
      await table.take(["code.bomb", "code.pong", "code.word"], "tributary", () => bomb(server, `bomb-${i}`));
    }
    for (let i = 0; i < Math.ceil(rounds / 2); i++)
      await table.take(["code.replay"], "tributary", async () => {
        for (const n of [0, replayed]) await waits(server, `replay-${i}-${n}`, n, reached);
        await server.stop();
        server = await start();
        await runs(server, `warm-up-${i}`);
        const times = [];
        for (const n of [0, replayed]) times.push(await goesOn(server, `replay-${i}-${n}`, reached));
        const [alone = 0, beside = 0] = times;
        return [beside - alone];
      });
  } finally {
    await server.stop();
    reached.stop();
    await rm(state, { recursive: true, force: true });
    await project.remove();
  }
}

type Server = Pick<Dev, "url">;

const echoes = (n: number) => `for (let n = 0; n < ${n}; n++) await tools.echo({ words: "call " + n })`;

/** Two runs without calls, and what each call of another one takes. */
async function runs({ url }: Server, name: string): Promise<number[]> {
  const tab = await Tab.open(url, name);
  const first = await ran(tab, "return 1");
  const again = await ran(tab, "return 2");
  const called = await ran(tab, echoes(calls));
  tab.close();
  return [first, again, (called - again) / calls];
}

/** From the frame of the code to that of its result. `begun` is told of the first. */
async function ran(tab: Tab, code: string, begun: () => void = () => {}): Promise<number> {
  let [from, to] = [Number.NaN, Number.NaN];
  await tab.ask(`code: ${code}`, (frame, ms) => {
    // The calls of code have ids with a slash.
    const [, what] = /tool-(input|output)-available\\",\\"toolCallId\\":\\"[^"/\\]+\\"/.exec(frame) ?? [];
    if (what === "input" && Number.isNaN(from)) {
      from = ms;
      begun();
    }
    if (what === "output") to = ms;
  });
  return to - from;
}

/** An endless loop, and how long the platform's answer and the first word take in two other conversations. */
async function bomb({ url }: Server, name: string): Promise<number[]> {
  const [bomber, pinging, talking] = [
    await Tab.open(url, name),
    await Tab.open(url, `${name}-pinging`),
    await Tab.open(url, `${name}-talking`),
  ];
  await talking.ask("hi chunks=1");
  let others: Promise<[number, { first: number }]> | undefined;
  const took = await ran(bomber, "for (;;) {}", () => {
    others = Promise.all([pinging.ping(), talking.ask("hi chunks=1")]);
  });
  const [pong, { first }] = (await others) ?? [Number.NaN, { first: Number.NaN }];
  for (const tab of [bomber, pinging, talking]) tab.close();
  return [took, pong, first];
}

/** Has code make so many calls, wait for a person, and make a call that reaches a server. */
async function waits({ url }: Server, name: string, n: number, reached: Counter): Promise<void> {
  const tab = await Tab.open(url, name);
  await tab.ask(
    `code: ${echoes(n)}; await tools.confirm({ words: "Go on?" }); await tools.repost({ url: "${reached.url}/${name}" })`,
  );
  tab.close();
}

/** From the answer of the person to the next call of the code, whose earlier calls are replayed in between. */
async function goesOn({ url }: Server, name: string, reached: Counter): Promise<number> {
  let question: string | undefined;
  const tab = await Tab.open(url, name, (frame) => {
    question ??= /"toolCallId\\?":\\?"([^"\\]+)\\?",[^{}]*\\?"state\\?":\\?"approval-requested/.exec(frame)?.[1];
    return question !== undefined;
  });
  const answered = performance.now();
  tab.send({ type: "cf_agent_tool_approval", toolCallId: question, approved: true, autoContinue: true });
  while (reached.count(`/${name}`) === 0) await setImmediate();
  const took = performance.now() - answered;
  tab.close();
  return took;
}
