// Tools that act once for a key, against a bank that counts: what is promised of keys, of approvals, and of undoing, with
// kills where that has to survive one.
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { dev } from "../dev";
import { Program, tasks } from "../mcp/program";
import { deployed, sign } from "../token";
import { Bank, Customer, digest, type Pending, type Run, type Wanted } from "./bank";
import { freshName, Office, until } from "./office";

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

const open = (name: string, sub?: [string, string]) =>
  Customer.open({ host: office.url, name, ...(sub ? { sub } : {}) });

/** Kills the server, and connects to the next one. */
async function inAnotherLife(name: string): Promise<Customer> {
  office.kill();
  await office.ready();
  return open(name);
}

const paymentTo = (to: string, amount = 1) => ({ bank: bank.url, to, amount });
const pays = (tool: string, to: string, amount = 1): Wanted => ({ tool, input: paymentTo(to, amount) });
const delegated = (...calls: Wanted[]): Wanted => ({ tool: "delegate", input: { say: JSON.stringify(calls) } });
/** What a tool call has come to. */
const ends = async (customer: Customer) =>
  (await customer.calls()).map(({ state, output, errorText }) => errorText ?? output ?? state);
const reached = ({ milestones = [] }: Run) => milestones.length;

test("D1: a key is asked for 100 times at once, and the bank pays once", async () => {
  const name = freshName();
  const to = "many";
  const customer = await open(name);
  const release = bank.hold(`/pay/${to}`);
  const twenty = Array.from({ length: 20 }, () => pays("pay", to));
  const payment = JSON.stringify(paymentTo(to));
  const code = `return Promise.all(Array.from({ length: 10 }, () => tools.pay(${payment})))`;
  await customer.begin("Payroll", "payroll", { tool: "pay", payment: paymentTo(to), times: 20 });
  await customer.begin("Teller", "teller", { tool: "pay", payment: paymentTo(to), times: 10 });
  await customer.begin("Clerk", "first", JSON.stringify(twenty));
  await customer.begin("Clerk", "second", JSON.stringify(twenty));
  const turn = await customer.say(...twenty.slice(10), { tool: "code", input: { code } });
  // What does not end soon is a task, so these ten have begun.
  const program = new Program(`${office.url}/agents/cashier/${name}/mcp`, tasks);
  const asked = await Promise.all(Array.from({ length: 10 }, () => program.call("pay", paymentTo(to))));
  expect(asked).toMatchObject(Array.from({ length: 10 }, () => ({ resultType: "task" })));
  for (let n = 0; n < 10; n++) expect(await customer.post("runs/teller/signals/pay", n)).toMatchObject([200, {}]);
  // All 100 have begun before the bank answers the one request that it was sent.
  const calls = async () => [
    ...(await customer.calls()),
    ...(await customer.calls(["clerk", "first"])),
    ...(await customer.calls(["clerk", "second"])),
  ];
  const shown = (id: string) => new Set(customer.frames.flatMap((frame) => begunCalls(frame, id))).size;
  await until(async () => expect([shown("first"), shown("second")]).toEqual([20, 20]));
  await until(() => expect(new Set(customer.frames.flatMap(begunInChat)).size).toBe(10 + 1 + 10));
  await until(async () => expect(reached(await customer.run("payroll"))).toBe(20));
  await until(async () => expect(reached(await customer.run("teller"))).toBe(10));
  expect(await customer.states()).toEqual([`pay:${to} begun`]);
  release();
  await customer.answer(turn);
  for (const id of ["first", "second"]) await customer.until(id, "completed");
  const paid = async (id: string) => (await customer.until(id, "completed")).output as { receipt: string }[];
  const results = [
    ...(await calls()).filter(({ type }) => type !== "tool-code").map(({ output }) => output),
    ...(await Promise.all(asked.map(({ taskId = "" }) => resultOf(program, taskId)))),
    ...(await paid("payroll")),
    ...(await paid("teller")),
  ];
  expect(results).toEqual(Array.from({ length: 100 }, () => ({ receipt: expect.stringMatching(/^receipt \d+$/) })));
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(bank.count(`pay ${to}`)).toBe(1);
  expect(bank.asked(`/pay/${to}`)).toBe(1);
  expect(await customer.states()).toEqual([`pay:${to} done`]);
  // Each output but that of the one call which has paid is marked. That one may be a workflow's.
  const marked = (await calls()).filter(({ resultProviderMetadata }) => resultProviderMetadata !== undefined);
  expect(marked.length).toBeGreaterThanOrEqual(59);
  customer.close();
});

/** What a task has returned. */
async function resultOf(program: Program, id: string): Promise<unknown> {
  const task = await until(async () => {
    const task = await program.task(id);
    expect(task).toMatchObject({ status: "completed" });
    return task;
  });
  return task.result?.structuredContent;
}

/** The tool calls that a frame begins in a run. */
function begunCalls(frame: string, run: string): string[] {
  const { type, event } = JSON.parse(frame) as { type: string; event?: { kind: string; runId: string; body: string } };
  if (type !== "agent-tool-event" || event?.kind !== "chunk" || event.runId !== run) return [];
  return begun(event.body);
}

/** The tool calls that a frame begins in the conversation. */
function begunInChat(frame: string): string[] {
  const { type, body } = JSON.parse(frame) as { type: string; body?: string };
  return type === "cf_agent_use_chat_response" && body ? begun(body) : [];
}

function begun(body: string): string[] {
  const chunk = JSON.parse(body) as { type: string; toolCallId: string };
  return chunk.type === "tool-input-available" ? [chunk.toolCallId] : [];
}

test("D3: the same key with another input does nothing, and says which digests differ", async () => {
  const customer = await open(freshName());
  await customer.answer(await customer.say(pays("transfer", "bob", 1)));
  await customer.answer(await customer.say(pays("transfer", "bob", 2)));
  const [done, refused] = await ends(customer);
  expect(done).toEqual({ receipt: expect.stringContaining("receipt") });
  expect(refused).toContain('"pay:bob"');
  expect(refused).toContain(digest(paymentTo("bob", 1)));
  expect(refused).toContain(digest(paymentTo("bob", 2)));
  expect(bank.count("pay bob")).toBe(1);
  expect(await customer.states()).toEqual(["pay:bob done"]);
  customer.close();
});

test("D4: a payment over its time is unknown until it is settled, and a second wish waits for that", async () => {
  const customer = await open(freshName());
  const [answer, settle] = [bank.hold("/pay/cy"), bank.hold("/paid/cy")];
  const turn = await customer.say(pays("hasty", "cy"), pays("hasty", "cy"));
  const listed = () => customer.actions({ key: "pay:cy" });
  await until(async () => expect(await listed()).toMatchObject([{ state: "unknown", working: true }]));
  await customer.begin("Payroll", "second", { tool: "hasty", payment: paymentTo("cy"), times: 1 });
  await until(async () => expect(reached(await customer.run("second"))).toBe(1));
  await until(() => expect(bank.asked("/paid/cy")).toBe(1));
  expect(await listed()).toMatchObject([{ state: "unknown", working: true }]);
  expect(new Set(customer.frames.flatMap(begunInChat)).size).toBe(2);
  expect(customer.frames.filter((frame) => frame.includes("tool-output"))).toEqual([]);
  expect(await customer.run("second")).not.toHaveProperty("completedAt");
  settle();
  await customer.answer(turn);
  const { output } = await customer.until("second", "completed");
  answer(); // too late for anybody
  const [first, second] = await ends(customer);
  expect(first).toEqual({ receipt: expect.stringContaining("receipt") });
  expect([second, output]).toEqual([first, [first]]);
  expect([bank.asked("/pay/cy"), bank.count("pay cy")]).toEqual([1, 1]);
  expect(await customer.states()).toEqual(["pay:cy done"]);
  customer.close();
});

test("D5: what is approved happens once, although the server is killed between the click and the payment", async () => {
  const name = freshName();
  const first = await open(name);
  await first.say(pays("approved", "dee", 120));
  const asked = await until(async () => {
    const listed = await first.pending();
    expect(listed).toMatchObject([{ tool: "approved", title: "Pay 120", kind: "approval" }]);
    return listed[0] as Pending;
  });
  bank.reached = (what) => what === "pay dee"; // nothing is paid before the kill
  expect(await first.call("approve", asked.id)).toMatchObject({ status: "approved", approved: true });
  first.close();
  office.kill();
  bank.reached = () => false;
  await office.ready();
  const second = await open(name);
  const over = { id: asked.id, status: "over", approved: true };
  expect(await second.call("approve", asked.id)).toMatchObject(over);
  expect(await second.call("deny", asked.id, "too late")).toMatchObject(over);
  expect(await second.post(`approvals/${asked.id}`, { approved: true })).toMatchObject([409, over]);
  await until(async () => expect(await ends(second)).toEqual([{ receipt: expect.stringContaining("receipt") }]));
  expect(bank.count("pay dee")).toBe(1);
  expect((await second.states()).at(-1)).toBe("pay:dee done");
  expect(await second.pending()).toEqual([]);
  second.close();
});

test("D6: who lacks a scope is refused in words, before anybody is asked and when it is approved", async () => {
  const server = await dev({ config: inject("workflows"), vars: deployed });
  onTestFinished(() => server.stop());
  const name = freshName();
  const claims = { exp: Math.ceil(Date.now() / 1000) + 3600, anyAgent: true, anyName: true };
  const signedIn = (sub: string, ...scopes: string[]) =>
    Customer.open({ host: server.url, name, token: sign({ ...claims, sub, scopes }) });
  const [visitor, payer, approver] = [
    await signedIn("vic", "bank:approve"),
    await signedIn("pia", "bank:pay"),
    await signedIn("ann", "bank:approve"),
  ];
  const answer = await visitor.answer(await visitor.say(pays("guarded", "kim")));
  expect(answer).toContain("guarded requires the scope bank:pay");
  expect(visitor.frames.filter((frame) => frame.includes("approval-request"))).toEqual([]);
  expect(await visitor.pending()).toEqual([]);

  await payer.say(pays("guarded", "kim"));
  await until(async () => expect(await payer.pending()).toHaveLength(1));
  const listed = await payer.pending();
  expect(listed).toMatchObject([{ tool: "guarded", scopes: ["bank:approve"] }]);
  const id = listed[0]?.id ?? "";
  await expect(payer.call("approve", id)).rejects.toThrow("needs the scope bank:approve");
  await expect(payer.call("deny", id, "no")).rejects.toThrow("needs the scope bank:approve");
  expect(await payer.post(`approvals/${id}`, { approved: true })).toMatchObject([403, { missing: ["bank:approve"] }]);
  payer.send({ type: "cf_agent_tool_approval", toolCallId: id, approved: true, autoContinue: true });
  await until(() => expect(payer.frames.join()).toContain("needs the scope bank:approve"));
  expect(await payer.pending()).toEqual(listed);
  expect(bank.asked("/pay/kim")).toBe(0);

  expect(await approver.call("approve", id)).toMatchObject({ status: "approved", by: "ann" });
  await until(async () => expect(await payer.states()).toEqual(["pay:kim done"]));
  expect(bank.count("pay kim")).toBe(1);
  expect(await payer.actions()).toMatchObject([{ by: "pia", approvedBy: "ann" }]);
  for (const customer of [visitor, payer, approver]) customer.close();
});

test("D7: the model is told why a call was denied, and that nobody has answered in time", async () => {
  const name = freshName();
  const first = await open(name);
  await first.say(pays("approved", "eve"));
  await until(async () => expect(await first.pending()).toHaveLength(1));
  const denied = await first.pending();
  expect(await first.call("deny", denied[0]?.id, "eve is paid")).toMatchObject({ status: "denied" });
  // The model repeats what its request says of its calls.
  const told = (words: string) =>
    until(async () => expect(await texts(name)).toContainEqual(expect.stringContaining(words)));
  await told("eve is paid");
  await first.say(pays("approved", "fay"));
  await until(async () => expect(await first.pending()).toHaveLength(1));
  first.close();
  await office.jump();
  const second = await open(name);
  await told("nobody has answered within 1h0m0s");
  expect(await second.pending()).toEqual([]);
  expect(await second.calls()).toMatchObject([
    { state: "output-denied", approval: { approved: false, reason: "eve is paid" } },
    { state: "output-denied", approval: { approved: false, isAutomatic: true } },
  ]);
  expect(bank.effects.filter((what) => /eve|fay/.test(what))).toEqual([]);
  second.close();
});

/** What the model has said in a conversation. */
async function texts(name: string): Promise<string[]> {
  const response = await fetch(`${office.url}/agents/cashier/${name}/get-messages`);
  const messages = (await response.json()) as { role: string; parts: { type: string; text?: string }[] }[];
  return messages.filter(({ role }) => role === "assistant").flatMap(({ parts }) => parts.map(({ text = "" }) => text));
}

for (const { program, who } of [
  { program: "Booker", who: "a workflow that fails undoes its three actions" },
  { program: "Contractor", who: "three actions of a failed workflow are undone by its root" },
]) {
  test(`D8: ${who}, with a kill between them`, async () => {
    const name = freshName();
    let customer = await open(name);
    const to = program.toLowerCase();
    const killed = Promise.withResolvers<void>();
    // The second refund is made, and its answer is lost.
    bank.reached = (what, moment) => {
      if (what !== `refund ${to}-2` || moment !== "done") return false;
      bank.reached = () => false;
      office.kill();
      killed.resolve();
      return true;
    };
    await customer.begin(program, "trip", { payment: paymentTo(to) });
    await killed.promise;
    customer.close();
    await office.ready();
    customer = await open(name);
    const ledger = program === "Booker" ? await open(name, [program, "trip"]) : customer;
    await until(async () => expect(await ledger.states()).toEqual([1, 2, 3].map((n) => `pay:${to}-${n} undone`)));
    expect(await customer.until("trip", "error")).toMatchObject({ error: expect.stringContaining("no room is free") });
    const [paid, refunded] = ["pay", "refund"].map((verb) => [1, 2, 3].map((n) => `${verb} ${to}-${n}`));
    expect(bank.effects.filter((what) => what.includes(to))).toEqual([
      ...(paid ?? []),
      ...(refunded ?? []).toReversed(),
    ]);
    expect(bank.asked(`/refund/${to}-2`)).toBe(2); // the bank has recognised the key
    customer.close();
    ledger.close();
  });
}

test("D9: keys of 0 and 257 bytes, and an input that is no object, are refused", async () => {
  const customer = await open(freshName());
  await customer.answer(await customer.say(pays("keyless", "gus"), pays("endless", "gus")));
  const [keyless, endless] = await ends(customer);
  expect(keyless).toContain("the key of the action is empty");
  expect(endless).toContain("the key of the action has 257 bytes, at most 256");
  await customer.begin("Shaper", "shaper", { payment: paymentTo("shapeless") });
  expect(await customer.until("shaper", "error")).toMatchObject({
    error: expect.stringContaining("the input is no object"),
  });
  expect(await customer.states()).toEqual([]);
  expect([bank.asked("/pay/gus"), bank.asked("/pay/shapeless")]).toEqual([0, 0]);
  customer.close();
});

test("D10: the questions of the chat, of its code, of helpers at two depths and of a workflow are one list", async () => {
  const name = freshName();
  const first = await open(name);
  await first.begin("Surveyor", "survey", {});
  await first.say(
    pays("approved", "hal"),
    { tool: "confirm", input: { say: "Go on?" } },
    delegated(pays("approved", "ida")),
    delegated(delegated(pays("approved", "joe"))),
  );
  const questions = [
    ["", "approval", "Pay 1", "hal"],
    ["", "question", "Go on?", undefined],
    ["call", "approval", "Pay 1", "ida"],
    ["call/call", "approval", "Pay 1", "joe"],
    ["survey", "question", "Which word?", undefined],
  ];
  const listed = async (customer: Customer) => {
    const list = await customer.call<(Pending & { input?: { to?: string } })[]>("pendingApprovals");
    const brief = list.map(({ path, kind, title, input }) => [path.map(place).join("/"), kind, title, input?.to]);
    expect(brief.toSorted()).toEqual(questions.toSorted());
    return list;
  };
  const before = await until(() => listed(first));
  first.close();
  const second = await inAnotherLife(name);
  expect(await until(() => listed(second))).toEqual(before);
  second.close();
});

/** A run's id, or "call" if the run has the id of a call. */
const place = (run: string) => (run.startsWith("call_") ? "call" : run);
