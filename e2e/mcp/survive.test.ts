// C5 to C7: what is left of servers, of calls and of questions when workerd is killed.
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { freshName, hour, Office, until } from "../workflow/office";
import { Guest, isOver } from "./guest";
import { type Remote, type Rogue, rogue, task, text } from "./rogue";

let office: Office;
let server: Rogue | undefined;

beforeAll(async () => {
  office = await Office.open({ config: inject("mcp") });
});

afterEach(() => server?.stop());

afterAll(() => office.close());

/** A visitor with a server that is ready. */
async function visitor(name: string, url: string): Promise<Guest> {
  const guest = await Guest.open(office.url, name);
  await guest.state(await guest.add("far", url), "ready");
  return guest;
}

/** Waits until the only call of a conversation is over. */
const only = (guest: Guest) =>
  until(async () => expect(await guest.calls()).toSatisfy(isSettled)).then(() => guest.calls());
const isSettled = (calls: Awaited<ReturnType<Guest["calls"]>>) => calls.length === 1 && calls.every(isOver);

/** Kills workerd, and connects when there is another one. */
async function inAnotherLife(name: string): Promise<Guest> {
  office.kill();
  await office.ready();
  return Guest.open(office.url, name);
}

test("C5: an object with 20 servers wakes, and asks none of them until a tool is called", async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  server = await rogue([{ name: "echo" }], ({ method, params, result }) =>
    method === "tools/call" ? result(text(`heard ${params.arguments?.words}`)) : false,
  );
  const { url, asked } = server;
  const name = freshName();
  const guest = await Guest.open(office.url, name);
  for (const n of numbers) await guest.state(await guest.add(`s${n}`, `${url}/${n}`), "ready");
  guest.close();
  const before = asked.length;
  expect(before).toBeGreaterThanOrEqual(2 * numbers.length);

  const later = await inAnotherLife(name);
  await later.until(() => later.servers.tools.length === numbers.length);
  expect(Object.values(later.servers.servers).map(({ state }) => state)).toEqual(numbers.map(() => "ready"));
  expect(await later.told()).toEqual(numbers.map((n) => `s${n}_echo`).toSorted());
  expect(asked.slice(before)).toEqual([]);
  expect(await later.turn({ tool: "s7_echo", input: { words: "you" } })).toMatchObject({ answer: '"heard you"' });
  expect(asked.slice(before)).toEqual(["/7 tools/call echo"]);
  later.close();
});

/** When workerd is killed while a task of a server works, and what the server has been asked for until then. */
const moments = {
  "when it has given a handle": { at: "tools/call", polls: 0 },
  "when it is asked for the first time": { at: "tasks/get", polls: 1 },
  "when it is asked for the third time": { at: "tasks/get", polls: 3 },
};
for (const [moment, { at, polls }] of Object.entries(moments)) {
  test(`C6: a tool with a handle is called once, and its result arrives, though workerd is killed ${moment}`, async () => {
    const reached = Promise.withResolvers<void>();
    let [asks, killed] = [0, false];
    server = await rogue([{ name: "work" }], ({ method, response, result }) => {
      if (method === "tools/call") {
        response.on("finish", () => at === method && reached.resolve());
        return result({ resultType: "task", ...task("t", "working") });
      }
      if (method !== "tasks/get") return false;
      if (++asks === polls && at === method) return reached.resolve(); // it is not answered
      return result(killed ? task("t", "completed", { result: text("made") }) : task("t", "working"));
    });
    const name = freshName();
    const guest = await visitor(name, server.url);
    await guest.call("submit", { text: JSON.stringify([{ tool: "far_work", input: {} }]) });
    await reached.promise;
    // Behind the answer with the handle, the journal has it when the page is told, or the server is asked for it.
    if (at === "tools/call") await until(() => expect(asks).toBe(1));
    guest.close();
    killed = true;
    const later = await inAnotherLife(name);
    expect(await only(later)).toMatchObject([{ state: "output-available", output: "made" }]);
    expect(server.asked.filter((one) => one.includes("tools/call"))).toHaveLength(1);
    later.close();
  });
}

test("C6: a tool without a handle is called once, and the error says that it may have happened", async () => {
  const reached = Promise.withResolvers<void>();
  server = await rogue([{ name: "work" }], ({ method }) => method === "tools/call" && reached.resolve());
  const name = freshName();
  const guest = await visitor(name, server.url);
  await guest.call("submit", { text: JSON.stringify([{ tool: "far_work", input: {} }]) });
  await reached.promise;
  guest.close();
  const later = await inAnotherLife(name);
  const [part] = await only(later);
  expect(part).toMatchObject({ state: "output-error", errorText: expect.stringMatching(/\bwork\b.*\bfar\b.*may/s) });
  expect(server.asked.filter((one) => one.includes("tools/call"))).toHaveLength(1);
  later.close();
});

test("C6: a tool that only reads is called again, and its result arrives", async () => {
  const reached = Promise.withResolvers<void>();
  let killed = false;
  server = await rogue([{ name: "look", annotations: { readOnlyHint: true } }], ({ method, result }) => {
    if (method !== "tools/call") return false;
    return killed ? result(text("seen")) : reached.resolve();
  });
  const name = freshName();
  const guest = await visitor(name, server.url);
  await guest.call("submit", { text: JSON.stringify([{ tool: "far_look", input: {} }]) });
  await reached.promise;
  guest.close();
  killed = true;
  const later = await inAnotherLife(name);
  expect(await only(later)).toMatchObject([{ state: "output-available", output: "seen" }]);
  expect(server.asked.filter((one) => one.includes("tools/call"))).toHaveLength(2);
  later.close();
});

/** A state that does not survive if anybody reads it as anything but text. */
const state = `{"a":1e400,"a":2} \u0000\u001f "\\" é 𝄞 \ud7ff\ufffd <&> ${"x".repeat(2000)}`;
const form = {
  type: "object",
  properties: { seat: { type: "integer", minimum: 1 }, name: { type: "string", default: "Ada" } },
  required: ["seat"],
};
const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "Which seat?", requestedSchema: form },
};

/** The ways in which a server asks: in its answer, and in a task. */
const ways: Record<string, (remote: Remote) => unknown> = {
  "an answer": ({ method, params, result }) => {
    if (method !== "tools/call") return false;
    if (params.inputResponses) return result(text("booked"));
    return result({ resultType: "input_required", inputRequests: { "the seat": question }, requestState: state });
  },
  "a task": tasked(),
};

function tasked(): (remote: Remote) => unknown {
  let answered = false;
  return ({ method, result }) => {
    if (method === "tools/call") return result({ resultType: "task", ...task("t", "working") });
    if (method === "tasks/update") {
      answered = true;
      return result({});
    }
    if (method !== "tasks/get") return false;
    if (answered) return result(task("t", "completed", { result: text("booked") }));
    return result(task("t", "input_required", { inputRequests: { "the seat": question } }));
  };
}

for (const [way, will] of Object.entries(ways)) {
  test(`C7: a question in ${way} is answered an hour and two kills later`, async () => {
    const repeated: Remote["params"][] = [];
    server = await rogue([{ name: "book" }], (remote) => {
      if (remote.params.inputResponses) repeated.push(remote.params);
      return will(remote);
    });
    const name = freshName();
    const guest = await visitor(name, server.url);
    await guest.turn({ tool: "far_book", input: { play: "Hamlet" } });
    const [asked] = await guest.questions();
    expect(asked).toMatchObject({ tool: "ask", input: { server: "far", text: "Which seat?", schema: form } });
    // The state is for the server alone.
    expect(guest.frames.join()).not.toContain("1e400");
    guest.close();
    office.kill();
    await office.ready();
    await office.jump();

    const later = await Guest.open(office.url, name);
    expect(await later.questions()).toEqual([asked]);
    later.enter(asked?.id ?? "", { seat: 12, name: "Bo" });
    expect(await only(later)).toMatchObject([{ state: "output-available", output: "booked" }]);
    const responses = { "the seat": { action: "accept", content: { seat: 12, name: "Bo" } } };
    expect(repeated).toMatchObject([{ inputResponses: responses }]);
    if (way === "an answer")
      expect(repeated).toMatchObject([{ name: "book", arguments: { play: "Hamlet" }, requestState: state }]);
    expect(server.asked.filter((one) => one.includes("tools/call"))).toHaveLength(way === "an answer" ? 2 : 1);
    expect(await later.questions()).toEqual([]);
    later.close();
  });
}

test("C7: the time for an answer is a week, and the server is told when nobody has answered", async () => {
  const told: unknown[] = [];
  server = await rogue([{ name: "book" }], ({ method, params, result }) => {
    if (method !== "tools/call") return false;
    if (params.inputResponses === undefined)
      return result({ resultType: "input_required", inputRequests: { seat: question }, requestState: state });
    told.push(params.inputResponses.seat);
    return result(text("nobody sits"));
  });
  const name = freshName();
  const guest = await visitor(name, server.url);
  await guest.turn({ tool: "far_book", input: {} });
  guest.close();
  office.ahead += 7 * 24 * hour;
  await office.jump();
  const later = await Guest.open(office.url, name);
  expect(await only(later)).toMatchObject([{ state: "output-available", output: "nobody sits" }]);
  expect(told).toEqual([{ action: "cancel" }]);
  later.close();
});
