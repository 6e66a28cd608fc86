// Calls and streams between two objects, without a platform between them: what each side is told, and when no more.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "./abi.ts";
import { Answers } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Neighbour } from "./facets.ts";
import { Fetches } from "./fetches.ts";
import { Readings } from "./readings.ts";
import { Timers } from "./timers.ts";
import { Writings } from "./writings.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** What an object is told, a line an event. */
class Told {
  readonly lines: string[] = [];
  #waiting: { line: string; resolve: () => void } | undefined;

  readonly deliver = (event: Event) => {
    const { kind, ...rest } = event;
    const words = Object.values(rest).map((v) => (v instanceof Uint8Array ? new TextDecoder().decode(v) : String(v)));
    const line = [kind, ...words].join(" ");
    this.lines.push(line);
    if (line === this.#waiting?.line) this.#waiting.resolve();
  };

  /** Resolves when a line has been told. */
  until(line: string): Promise<void> {
    if (this.lines.includes(line)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { line, resolve };
    return promise;
  }
}

/** An object that writes a stream, and one that reads it. */
function pair() {
  const writer = new Told();
  const reader = new Told();
  const writings = new Writings(writer.deliver);
  const facet: Neighbour = { call: () => Promise.reject(new Error("no calls")), open: async () => writings.open("w") };
  const readings = new Readings(() => () => facet, reader.deliver);
  const over = readings.start({ kind: "OpenStream", stream: "r", from: { slot: "1", class: "C" }, data: null });
  return { writer, reader, writings, readings, over };
}

const opened = () => new Promise((resolve) => setImmediate(resolve));

test("what waits is read at once, and the writer hears that it was taken", async () => {
  const { writer, reader, writings, over } = pair();
  await opened();
  for (const text of ["one ", "two ", "three"]) writings.emit("w", bytes(text));
  await writer.until("StreamDrained w");
  assert.deepEqual(reader.lines, ["StreamData r one two three"]);
  writings.emit("w", bytes("four"));
  writings.end("w");
  writings.emit("w", bytes("never"));
  await over;
  assert.deepEqual(reader.lines.slice(1), ["StreamData r four", "StreamEnded r"]);
  assert.deepEqual(writer.lines, ["StreamDrained w"]);
});

test("nothing is told before something was emitted, and an empty stream just ends", async () => {
  const { writer, reader, writings, over } = pair();
  await opened();
  writings.emit("w", null);
  writings.end("w");
  await over;
  assert.deepEqual([...writer.lines, ...reader.lines], ["StreamEnded r"]);
});

test("a writer that dies breaks the stream off", async () => {
  const { writer, reader, writings, over } = pair();
  await opened();
  writings.abort("");
  writings.emit("w", bytes("late"));
  await over;
  assert.deepEqual([...writer.lines, ...reader.lines], ["StreamFailed r the object did not live to go on"]);
});

test("a stream that just arrives is spared", async () => {
  const { reader, writings, over } = pair();
  await opened();
  writings.abort("w");
  writings.end("w");
  await over;
  assert.deepEqual(reader.lines, ["StreamEnded r"]);
});

for (const verb of ["cancel", "abort"] as const) {
  test(`a reader that leaves (${verb}) hears nothing more, and the writer learns of it`, async () => {
    const { writer, reader, writings, readings, over } = pair();
    await opened();
    writings.emit("w", bytes("one"));
    await reader.until("StreamData r one");
    readings[verb]("r");
    await writer.until("StreamCancelled w");
    writings.emit("w", bytes("two"));
    await over;
    assert.deepEqual(reader.lines, ["StreamData r one"]);
  });
}

test("a reader that leaves before the stream is there cancels it when it comes", async () => {
  const { writer, reader, readings, over } = pair();
  readings.cancel("r");
  await over;
  assert.deepEqual([...writer.lines, ...reader.lines], []);
});

test("nothing is told while the commands beside it are performed", async () => {
  const told = new Told();
  const reach = () => () => {
    throw new Error("no such class");
  };
  const to = { slot: "1", class: "C" };
  const call = new Calls(reach, told.deliver).start({ kind: "Call", call: "c", to, data: null });
  const stream = new Readings(reach, told.deliver).start({ kind: "OpenStream", stream: "r", from: to, data: null });
  assert.deepEqual(told.lines, []);
  await Promise.all([call, stream]);
  assert.deepEqual(told.lines, ["CallFailed c no such class", "StreamFailed r no such class"]);
});

/** An object that calls, and the answers of the one that is called. */
function caller() {
  const told = new Told();
  const answers = new Answers();
  const facet: Neighbour = { call: () => answers.wait("a"), open: () => Promise.reject(new Error("no streams")) };
  const calls = new Calls(() => () => facet, told.deliver);
  const over = calls.start({ kind: "Call", call: "c", to: { slot: "1", class: "C" }, data: bytes("question") });
  return { told, answers, calls, over };
}

test("a call is answered once", async () => {
  const { told, answers, over } = caller();
  await opened();
  answers.give({ kind: "Answer", call: "a", data: bytes("answer"), error: "" });
  answers.give({ kind: "Answer", call: "a", data: bytes("another"), error: "" });
  answers.give({ kind: "Answer", call: "nobody", data: null, error: "" });
  await over;
  assert.deepEqual(told.lines, ["CallAnswered c answer"]);
});

test("a call whose callee dies fails", async () => {
  const { told, answers, over } = caller();
  await opened();
  answers.abort("another");
  await over;
  assert.deepEqual(told.lines, ["CallFailed c the object did not live to answer"]);
});

test("an answer to an object that was opened again is not told", async () => {
  const { told, answers, calls, over } = caller();
  await opened();
  calls.abort();
  answers.give({ kind: "Answer", call: "a", data: null, error: "" });
  await over;
  assert.deepEqual(told.lines, []);
});

/** Delivers to an object whose in-memory part is not there: it is opened first, which ends what that had begun. */
function reopening(told: Told, abort: () => void) {
  return (event: Event, gone: () => boolean = () => false) => {
    abort();
    if (!gone()) told.deliver(event);
  };
}

test("a new in-memory part is told nothing of what an earlier one had begun", async () => {
  const told = new Told();
  const answers = new Answers();
  const facet: Neighbour = {
    call: () => answers.wait("a"),
    open: async () => new Response("text").body as ReadableStream<Uint8Array>,
  };
  const calls: Calls = new Calls(
    () => () => facet,
    reopening(told, () => calls.abort()),
  );
  const readings: Readings = new Readings(
    () => () => facet,
    reopening(told, () => readings.abort()),
  );
  const fetches: Fetches = new Fetches(
    {},
    reopening(told, () => fetches.abort()),
  );
  const timers: Timers = new Timers(reopening(told, () => timers.abort()));
  const to = { slot: "1", class: "C" };
  const call = calls.start({ kind: "Call", call: "c", to, data: null });
  const stream = readings.start({ kind: "OpenStream", stream: "r", from: to, data: null });
  fetches.start({ kind: "Fetch", fetch: "f", method: "GET", url: "no url", header: [], body: null });
  timers.start("t", 0);
  assert.deepEqual([calls.any, readings.any, fetches.any, timers.any], [true, true, true, true]);
  await opened();
  answers.give({ kind: "Answer", call: "a", data: null, error: "" });
  await Promise.all([call, stream]);
  await new Promise((resolve) => setTimeout(resolve, 1)); // behind the timer
  assert.deepEqual(told.lines, []);
  assert.deepEqual([calls.any, readings.any, fetches.any, timers.any], [false, false, false, false]);
});
