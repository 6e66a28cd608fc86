// The start of the module before the first request, on the module that is deployed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { storage } from "../tck/driver/engine.ts";
import { rand } from "../tck/driver/rand.ts";
import { build } from "../tck/worker/server.ts";
import { type Event, status } from "./abi.ts";
import { decodeReply, encodeOccurrence } from "./codec.ts";
import { containmentOf } from "./containment.ts";
import type { Ports } from "./instance.ts";
import { provideScripts } from "./platform.ts";
import { prepare, prepared } from "./prepare.ts";

// The types are those of workerd, where a module cannot be compiled.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
/** The module that is deployed, which has an engine for its scripts. */
function deployed(): WebAssembly.Module {
  const module = new Module(readFileSync(join(import.meta.dirname, "../../.tributary/agents.wasm")));
  provideScripts(module, scripts);
  return module;
}

const scripts = () => assert.fail("a script was run");

/** Ports that count how often randomness is asked for. */
function counting(trace?: Ports["trace"]) {
  const count = { seed: 0, random: 0 };
  const ports: Ports = {
    now: () => 1,
    seed: () => void count.seed++,
    random: () => void count.random++,
    write: (text) => assert.fail(text),
    log: () => {},
    scripts,
    ...(trace && { trace }),
  };
  return { ports, count };
}

test("a conversation's beginning is rehearsed, without the platform's randomness", () => {
  const verbs: [verb: string, status: number][] = [];
  const { ports, count } = counting((verb, _, reply) => {
    if (verb === "open" || verb === "step") verbs.push([verb, decodeReply(reply as Uint8Array).status]);
  });
  prepared(deployed(), "Assistant", ports);
  assert.deepEqual(count, { seed: 0, random: 0 });
  assert.deepEqual(verbs, [
    ["open", status.done],
    ["step", status.done],
    ["step", status.done],
  ]);
});

test("nothing of the rehearsal is left", () => {
  const instance = prepared(deployed(), "Assistant", counting().ports);
  const ended = encodeOccurrence(1, { kind: "FetchEnded", fetch: "none" });
  assert.equal(decodeReply(instance.step(0, ended, () => [])).status, status.unopened);
});

test("what is drawn afterwards comes from the ports", () => {
  const { ports, count } = counting();
  const instance = prepared(deployed(), "Assistant", ports);
  const sql = storage(new DatabaseSync(":memory:"));
  const open: Event = { kind: "Opened", class: "Assistant", name: "x", conns: ["c"], vars: {}, secrets: [], lost: "" };
  instance.open(1, encodeOccurrence(1, open), sql);
  assert.equal(count.random, 0);
  const body = JSON.stringify({ messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }] });
  const text = JSON.stringify({ type: "cf_agent_use_chat_request", id: "r", init: { method: "POST", body } });
  const ask: Event = { kind: "SocketMessage", conn: "c", text, binary: false, data: null, claims: "" };
  instance.step(1, encodeOccurrence(1, ask), sql);
  assert.equal(count.random, 1); // the id of the answer's message
});

test("of what two isolates draw that start with the same seeds, only the numbers of Go's runtime are the same", (t) => {
  t.mock.method(Math, "random", () => 0.5);
  build();
  const guest = new Module(readFileSync(join(import.meta.dirname, "../../build/tck/guest.wasm")));
  const draws = [1, 2].map((seed) => {
    const [bytes, others] = [rand(seed), rand(seed + 2)];
    const instance = prepared(guest, "Probe", { ...counting().ports, seed: bytes, random: others });
    const sql = storage(new DatabaseSync(":memory:"));
    const open: Event = { kind: "Opened", class: "Probe", name: "x", conns: ["c"], vars: {}, secrets: [], lost: "" };
    instance.open(1, encodeOccurrence(1, open), sql);
    const draw: Event = { kind: "SocketMessage", conn: "c", text: "draw", binary: false, data: null, claims: "" };
    const { commands } = decodeReply(instance.step(1, encodeOccurrence(1, draw), sql));
    const said = commands.find((command) => command.kind === "Send");
    return said?.text.split(" ") ?? [];
  });
  const [[, id, secret, number] = [], [, otherId, otherSecret, otherNumber] = []] = draws;
  assert.ok(id && secret && number);
  assert.notEqual(id, otherId);
  assert.notEqual(secret, otherSecret);
  assert.equal(number, otherNumber);
});

test("the objects that share an instance begin in the prepared one", () => {
  const module = deployed();
  prepare(module, "Assistant");
  const { current } = containmentOf(module, false).pool("tree");
  assert.equal(current?.dead, false);
  prepare(module, "Assistant");
  assert.equal(containmentOf(module, false).pool("tree").current, current);
  assert.equal(containmentOf(module, true).pool("tree").current, undefined);
});

test("a class that the module does not have is logged, and is left to the first event", (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const module = deployed();
  prepare(module, "Nobody");
  assert.equal(containmentOf(module, false).pool("tree").current, undefined);
  assert.match(String(warned.mock.calls[0]?.arguments[0]), /the module refused Opened: .*Nobody/);
});

test("a module that does not start is left to the first event, and the reason is logged", (t) => {
  const warned = t.mock.method(console, "warn", () => {});
  const module = new Module(Buffer.from("0061736d01000000", "hex"));
  prepare(module, "Assistant");
  assert.equal(containmentOf(module, false).pool("tree").current, undefined);
  assert.match(String(warned.mock.calls[0]?.arguments[0]), /this is no module of Tributary/);
});
