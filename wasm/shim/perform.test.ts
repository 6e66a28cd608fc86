// Commands that the platform refuses: no client waits for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./abi.ts";
import type { Deliver } from "./deliver.ts";
import { Performer } from "./perform.ts";

/** A socket that refuses every message, and records how it is closed. */
function refusing() {
  const closed: string[] = [];
  const refuse = () => {
    throw new TypeError("the socket refuses that");
  };
  return {
    closed,
    readyState: WebSocket.READY_STATE_OPEN,
    send: refuse,
    close: (code: number, reason: string) => (code === 4401 ? refuse() : closed.push(`${code} ${reason}`)),
  };
}

/** A performer on a platform that has one socket and fails to delete facets. */
function performer(
  socket: object = refusing(),
  cost = { down: 0 },
  getWebSockets = () => [socket],
  deliver: Deliver = () => {},
) {
  const state = {
    id: { name: "room" },
    getWebSockets,
    waitUntil: () => {},
    facets: {
      delete: () => {
        throw new Error("the disk is full");
      },
    },
  } as unknown as DurableObjectState;
  const performer = new Performer({
    state,
    clock: { platform: (at) => at },
    secrets: {},
    who: { tree: "t", name: "room", facet: false },
    agent: "A",
    cost,
    deliver,
  });
  performer.log = () => {};
  return performer;
}

test("a socket that a message cannot be sent to is closed, so that its client reconnects and asks again", () => {
  const socket = refusing();
  assert.equal(performer(socket).perform([{ kind: "Send", text: "{}", to: ["a"] }]), true);
  assert.deepEqual(socket.closed, ["1011 the object failed"]);
});

test("a socket that cannot be closed with the object's code is closed with 1011", () => {
  const socket = refusing();
  assert.equal(performer(socket).perform([{ kind: "Close", conn: "a", code: 4401, reason: "" }]), true);
  assert.deepEqual(socket.closed, ["1011 the object failed"]);
});

test("a request whose answer the platform refuses is answered", async () => {
  const one = performer();
  const answer = one.answer("r");
  const respond: Command = { kind: "Respond", request: "r", status: 42, header: {}, body: new Uint8Array() };
  assert.equal(one.perform([respond]), true);
  assert.deepEqual([(await answer).status, one.busy], [500, false]);
});

test("a failed command is reported to the caller, and the others are performed", () => {
  const socket = refusing();
  const close: Command = { kind: "Close", conn: "a", code: 1000, reason: "bye" };
  assert.equal(performer(socket).perform([{ kind: "DeleteFacet", slot: "helper-1" }, close]), false);
  assert.deepEqual(socket.closed, ["1000 bye"]);
});

test("what a client was sent is counted, and what a socket refused is not", async () => {
  const cost = { down: 0 };
  const send: Command = { kind: "Send", text: "{}", to: ["a", "b"] };
  performer(refusing(), cost).perform([send]);
  assert.equal(cost.down, 0);
  const one = performer({ readyState: WebSocket.READY_STATE_OPEN, send: () => {} }, cost);
  one.perform([send]);
  assert.equal(cost.down, 4);
  const answer = one.answer("r");
  one.perform([{ kind: "Respond", request: "r", status: 200, header: {}, body: new Uint8Array(5) }]);
  await answer;
  assert.equal(cost.down, 9);
});

test("a socket is looked up once, and again when it is no longer open", () => {
  const sent: string[] = [];
  const socket = (name: string) => ({
    readyState: WebSocket.READY_STATE_OPEN as number,
    send: (text: string) => sent.push(`${name} ${text}`),
  });
  const [first, second] = [socket("first"), socket("second")];
  const sockets = [first, second];
  let lookups = 0;
  const one = performer(undefined, undefined, () => {
    lookups++;
    return sockets;
  });
  const send: Command = { kind: "Send", text: "{}", to: ["a"] };
  one.perform([send, send]);
  one.perform([send]);
  assert.deepEqual([lookups, sent], [1, ["first {}", "first {}", "first {}"]]);
  first.readyState = 2; // it is closing
  one.perform([send]);
  one.sockets.forget("a");
  one.perform([send]);
  assert.deepEqual([lookups, sent.slice(3)], [3, ["second {}", "second {}"]]);
});

/** A performer whose events are recorded, with a request that waits for its answer. */
function asked() {
  const lines: string[] = [];
  const cost = { down: 0 };
  const one = performer(undefined, cost, undefined, (event) => {
    lines.push(`${event.kind} ${"stream" in event ? event.stream : ""}`);
  });
  return { one, lines, cost, answer: one.answer("r") };
}

const begin = (status: number, header = {}): Command => ({ kind: "Begin", request: "r", status, header });
const emit = (text: string): Command => ({ kind: "Emit", stream: "r", data: new TextEncoder().encode(text) });
const end: Command = { kind: "EndStream", stream: "r" };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a response that is begun has what is emitted, and its bytes are counted", async () => {
  const { one, lines, cost, answer } = asked();
  one.perform([begin(201, { "x-a": "b" }), emit("one "), emit("two")]);
  const response = await answer;
  assert.deepEqual([response.status, response.headers.get("x-a"), one.busy], [201, "b", true]);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  assert.equal(await read(), "one two");
  const next = read();
  await settled();
  assert.deepEqual(lines, ["StreamDrained r"]);
  one.perform([emit("three"), end, emit("never")]);
  assert.equal(await next, "three");
  assert.equal((await reader.read()).done, true);
  assert.deepEqual([lines.length, cost.down, one.busy], [1, 12, false]);
});

test("the object is told once that the reader of a response has left", async () => {
  const { one, lines, answer } = asked();
  one.perform([begin(200)]);
  await (await answer).body?.cancel();
  one.perform([emit("late"), end]);
  assert.deepEqual([lines, one.busy], [["StreamCancelled r"], false]);
});

test("what follows a first answer is passed over", async () => {
  const { one, answer } = asked();
  const respond: Command = { kind: "Respond", request: "r", status: 202, header: {}, body: new Uint8Array(9) };
  assert.equal(one.perform([begin(200), begin(201), respond, emit("once"), end, begin(203), emit("never")]), true);
  const response = await answer;
  assert.deepEqual([response.status, await response.text(), one.busy], [200, "once", false]);
  assert.equal(one.perform([begin(200), emit("never"), end]), true);
});

test("a response that can have no body, or is refused, is answered, and its stream has no reader", async () => {
  for (const [status, want] of [
    [204, 204],
    [42, 500],
  ] as const) {
    const { one, lines, answer } = asked();
    assert.equal(one.perform([begin(status), emit("never")]), true);
    assert.deepEqual(lines, []);
    const response = await answer;
    await settled();
    assert.deepEqual([response.status, response.body, lines, one.busy], [want, null, ["StreamCancelled r"], false]);
  }
});

test("a response breaks off when the object's memory is lost", async () => {
  for (const verb of ["abort", "abandon"] as const) {
    const { one, lines, answer } = asked();
    one.perform([begin(200), emit("some")]);
    const response = await answer;
    one[verb]("");
    await assert.rejects(response.text(), /did not live to go on/);
    one.perform([emit("late"), end]);
    assert.deepEqual([lines, one.busy], [[], false]);
  }
});
