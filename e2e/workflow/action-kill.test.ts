// One payment by a tool of each kind, asked for by the chat, a helper and a workflow. workerd is killed at a moment of it,
// and the bank never pays twice.
//
//   ACTION_KILLS=50 vitest run --config e2e/vitest.config.ts --project workflow action-kill
//
// is the long form.
import { afterAll, beforeAll, expect, test } from "vitest";
import { generator } from "../random";
import { Bank, Customer, type Moment } from "./bank";
import { freshName, Office, until } from "./office";

/** How many kills there are, and the seed of their moments. */
const kills = Number(process.env.ACTION_KILLS ?? 10);
const seed = Number(process.env.ACTION_SEED ?? 1);

/** What has happened when the server is killed. "shown": the call has begun. "told": its result is shown. */
const moments = ["shown", "asked", "done", "half answered", "answered", "told"] as const;
const callers = ["chat", "helper", "workflow"] as const;
/** A tool without Settle, one with it, and one whose key the bank recognises. */
const tools = ["pay", "transfer", "known"] as const;

const all = moments.flatMap((moment) => callers.flatMap((caller) => tools.map((tool) => ({ moment, caller, tool }))));
/** The kills, each from its own share of all of them. The kinds of tools and callers change from one to the next. */
const random = generator(seed);
const chosen = Array.from({ length: kills }, (_, i) => {
  const [from, to] = [(i * all.length) / kills, ((i + 1) * all.length) / kills];
  return all[Math.floor(from + random() * (to - from))] as (typeof all)[number];
});

let office: Office;
let bank: Bank;

beforeAll(async () => {
  bank = await Bank.open();
  office = await Office.open();
});

afterAll(async () => {
  await office.close();
  bank.stop();
});

for (const [number, { moment, caller, tool }] of chosen.entries()) {
  const title = `${tool} of the ${caller}, killed when it was ${moment}`;
  test(`D2: kill ${number} of ACTION_SEED=${seed}: ${title}`, async () => {
    const name = freshName();
    const to = `kill-${number}`;
    const payment = { bank: bank.url, to, amount: 1 };
    const killed = Promise.withResolvers<void>();
    let alive = true;
    /** Kills the server at the moment. What the bank is asked for at "asked" is not done. */
    const reached = (now: Moment | "shown" | "told"): boolean => {
      if (!alive || now !== moment) return false;
      alive = false;
      office.kill();
      killed.resolve();
      return true;
    };
    bank.reached = (what, now) => what === `pay ${to}` && reached(now);
    const first = await Customer.open({ host: office.url, name });
    first.heard = (frame) => {
      if (/tool-input-available|about to pay/.test(frame)) reached("shown");
      if (/receipt |\\?"kind\\?":\\?"finished/.test(frame)) reached("told");
    };
    const call = JSON.stringify([{ tool, input: payment }]);
    // All of these can be asked for again.
    const begin = async () => {
      if (caller === "chat") await first.call("submit", { text: call, id: "turn" });
      else if (caller === "helper") await first.begin("Clerk", "run", call);
      else await first.begin("Payroll", "run", { tool, payment, times: 1 });
    };
    // The server can be killed before it has answered.
    const begun = until(() => (alive ? begin() : undefined));
    await Promise.race([killed.promise, begun.then(() => killed.promise)]);
    first.close();
    await office.ready();

    const second = await Customer.open({ host: office.url, name });
    const [last] = await until(async () => {
      const over = caller === "chat" ? await second.call("submission", "turn") : await second.run("run");
      const asks = (await second.pending()).length > 0;
      const list = await second.actions({ key: `pay:${to}` });
      expect(over).toSatisfy((it: { status: string }) => asks || /completed|error/.test(it.status));
      expect(list[0]).toSatisfy(
        (it: { working: boolean; state: string }) => !it.working || (asks && it.state === "unknown"),
      );
      return list;
    });
    const paid = bank.count(`pay ${to}`);
    const states = (await second.actions({ key: `pay:${to}` })).map(({ state }) => state).toReversed();
    expect(paid).toBeLessThanOrEqual(1);
    expect(["done", "failed", "unknown"]).toContain(last?.state);
    if (last?.state === "done") expect(paid).toBe(1);
    if (last?.state === "failed") expect(paid).toBe(0);
    if (tool === "known") expect([paid, ...states]).toEqual([1, "done"]);
    if (tool === "transfer") expect(states).not.toContain("unknown");
    // A result that is shown is stored.
    if (moment === "told") expect([paid, ...states]).toEqual([1, "done"]);
    second.close();
  });
}
