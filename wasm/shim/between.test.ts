// Calls and streams between two objects without a platform: which events each side gets, and which it does not.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "./abi.ts";
import { Answers } from "./answers.ts";
import { Calls } from "./calls.ts";
import type { Peer } from "./facets.ts";
import { Fetches } from "./fetches.ts";
import { StreamReaders } from "./readers.ts";
import { Timers } from "./timers.ts";
import { StreamWriters } from "./writers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The events of an object, one line each. */
class EventLog {
  readonly lines: string[] = [];
  #waiting: { line: string; resolve: () => void } | undefined;

  readonly deliver = (event: Event) => {
    const { kind, ...rest } = event;
    const words = Object.values(rest).map((v) => (v instanceof Uint8Array ? new TextDecoder().decode(v) : String(v)));
    const line = [kind, ...words].join(" ");
    this.lines.push(line);
    if (line === this.#waiting?.line) this.#waiting.resolve();
  };

  /** Resolves when a line has arrived. */
  until(line: string): Promise<void> {
    if (this.lines.includes(line)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting = { line, resolve };
    return promise;
  }
}

/** Makes an object that writes a stream, and an object that reads it. */
function pair() {
  const writer = new EventLog();
  const reader = new EventLog();
  const writers = new StreamWriters(writer.deliver);
  const facet: Peer = { call: () => Promise.reject(new Error("no calls")), open: async () => writers.open("w") };
  const readers = new StreamReaders(() => () => facet, reader.deliver);
  const ended = readers.start({ kind: "OpenStream", stream: "r", from: { slot: "1", class: "C" }, data: null });
  return { writer, reader, writers, readers, ended };
}

const opened = () => new Promise((resolve) => setImmediate(resolve));

test("waiting chunks are read as one, and the writer learns that they were read", async () => {
  const { writer, reader, writers, ended } = pair();
  await opened();
  for (const text of ["one ", "two ", "three"]) writers.emit("w", bytes(text));
  await writer.until("StreamDrained w");
  assert.deepEqual(reader.lines, ["StreamData r one two three"]);
  writers.emit("w", bytes("four"));
  writers.end("w");
  writers.emit("w", bytes("never"));
  await ended;
  assert.deepEqual(reader.lines.slice(1), ["StreamData r four", "StreamEnded r"]);
  assert.deepEqual(writer.lines, ["StreamDrained w"]);
});

test("there is no event before a chunk was emitted, and an empty stream only ends", async () => {
  const { writer, reader, writers, ended } = pair();
  await opened();
  writers.emit("w", null);
  writers.end("w");
  await ended;
  assert.deepEqual([...writer.lines, ...reader.lines], ["StreamEnded r"]);
});

test("a stream fails when its writer dies", async () => {
  const { writer, reader, writers, ended } = pair();
  await opened();
  writers.abort("");
  writers.emit("w", bytes("late"));
  await ended;
  assert.deepEqual([...writer.lines, ...reader.lines], ["StreamFailed r the object did not live to go on"]);
});

test("a stream that is just being opened does not fail", async () => {
  const { reader, writers, ended } = pair();
  await opened();
  writers.abort("w");
  writers.end("w");
  await ended;
  assert.deepEqual(reader.lines, ["StreamEnded r"]);
});

for (const verb of ["cancel", "abort"] as const) {
  test(`a reader that leaves (${verb}) gets no more events, and the writer learns of it`, async () => {
    const { writer, reader, writers, readers, ended } = pair();
    await opened();
    writers.emit("w", bytes("one"));
    await reader.until("StreamData r one");
    readers[verb]("r");
    await writer.until("StreamCancelled w");
    writers.emit("w", bytes("two"));
    await ended;
    assert.deepEqual(reader.lines, ["StreamData r one"]);
  });
}

test("a reader that leaves before the stream is open cancels it when it opens", async () => {
  const { writer, reader, readers, ended } = pair();
  readers.cancel("r");
  await ended;
  assert.deepEqual([...writer.lines, ...reader.lines], []);
});

test("no event is delivered before all commands of the same event are performed", async () => {
  const log = new EventLog();
  const lookup = () => () => {
    throw new Error("no such class");
  };
  const to = { slot: "1", class: "C" };
  const call = new Calls(lookup, log.deliver).start({ kind: "Call", call: "c", to, data: null });
  const stream = new StreamReaders(lookup, log.deliver).start({
    kind: "OpenStream",
    stream: "r",
    from: to,
    data: null,
  });
  assert.deepEqual(log.lines, []);
  await Promise.all([call, stream]);
  assert.deepEqual(log.lines, ["CallFailed c no such class", "StreamFailed r no such class"]);
});

/** Makes an object that calls, and the answers of the object that it calls. */
function caller() {
  const log = new EventLog();
  const answers = new Answers();
  const facet: Peer = { call: () => answers.wait("a"), open: () => Promise.reject(new Error("no streams")) };
  const calls = new Calls(() => () => facet, log.deliver);
  const ended = calls.start({ kind: "Call", call: "c", to: { slot: "1", class: "C" }, data: bytes("question") });
  return { log, answers, calls, ended };
}

test("a call is answered once", async () => {
  const { log, answers, ended } = caller();
  await opened();
  answers.give({ kind: "Answer", call: "a", data: bytes("answer"), error: "" });
  answers.give({ kind: "Answer", call: "a", data: bytes("another"), error: "" });
  answers.give({ kind: "Answer", call: "nobody", data: null, error: "" });
  await ended;
  assert.deepEqual(log.lines, ["CallAnswered c answer"]);
});

test("a call whose callee dies fails", async () => {
  const { log, answers, ended } = caller();
  await opened();
  answers.abort("another");
  await ended;
  assert.deepEqual(log.lines, ["CallFailed c the object did not live to answer"]);
});

test("an answer to an object that was opened again is not delivered", async () => {
  const { log, answers, calls, ended } = caller();
  await opened();
  calls.abort();
  answers.give({ kind: "Answer", call: "a", data: null, error: "" });
  await ended;
  assert.deepEqual(log.lines, []);
});

/** Delivers to an object without an in-memory part. It is opened first, which ends all work of the earlier part. */
function reopening(log: EventLog, abort: () => void) {
  return (event: Event, gone: () => boolean = () => false) => {
    abort();
    if (!gone()) log.deliver(event);
  };
}

test("a new in-memory part gets no event of work that an earlier one had begun", async () => {
  const log = new EventLog();
  const answers = new Answers();
  const facet: Peer = {
    call: () => answers.wait("a"),
    open: async () => new Response("text").body as ReadableStream<Uint8Array>,
  };
  const calls: Calls = new Calls(
    () => () => facet,
    reopening(log, () => calls.abort()),
  );
  const readers: StreamReaders = new StreamReaders(
    () => () => facet,
    reopening(log, () => readers.abort()),
  );
  const fetches: Fetches = new Fetches(
    {},
    reopening(log, () => fetches.abort()),
  );
  const timers: Timers = new Timers(reopening(log, () => timers.abort()));
  const to = { slot: "1", class: "C" };
  const call = calls.start({ kind: "Call", call: "c", to, data: null });
  const stream = readers.start({ kind: "OpenStream", stream: "r", from: to, data: null });
  fetches.start({ kind: "Fetch", fetch: "f", method: "GET", url: "no url", header: [], body: null });
  timers.start("t", 0);
  assert.deepEqual([calls.busy, readers.busy, fetches.busy, timers.busy], [true, true, true, true]);
  await opened();
  answers.give({ kind: "Answer", call: "a", data: null, error: "" });
  await Promise.all([call, stream]);
  await new Promise((resolve) => setTimeout(resolve, 1)); // after the timer
  assert.deepEqual(log.lines, []);
  assert.deepEqual([calls.busy, readers.busy, fetches.busy, timers.busy], [false, false, false, false]);
});
