// Commands that the platform refuses: no client waits for ever.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./abi.ts";
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
function performer(socket: object = refusing(), cost = { down: 0 }, getWebSockets = () => [socket]) {
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
    deliver: () => {},
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
