// Sockets that do not take what they are sent.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { maxAll, maxBehind, maxBuffered, Outbox } from "./outbox.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A socket that keeps what it is sent until it takes it. */
class Slow {
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closes: string[] = [];

  send(text: string): void {
    this.sent.push(text);
    this.bufferedAmount += text.length;
  }

  close(code?: number, reason?: string): void {
    this.bufferedAmount = 0; // it is found no more
    this.closes.push(`${code} ${reason}`);
  }

  take(bytes = this.bufferedAmount): void {
    this.bufferedAmount -= Math.min(bytes, this.bufferedAmount);
  }
}

function outbox() {
  const told: string[] = [];
  const box = new Outbox({
    closed: (conn, code) => told.push(`${conn} closed ${code}`),
    failed: (conn, _, error) => told.push(`${conn} failed ${error}`),
  });
  /** Sends messages in one event, each to one socket. */
  const event = (socket: Slow, ...texts: string[]) => {
    box.begin();
    for (const text of texts) box.send("a", socket as unknown as WebSocket, text);
  };
  return { box, told, event };
}

const closed = "1008 the client does not take what it is sent";

for (const { name, buffered, sent } of [
  { name: "at the limit", buffered: maxBuffered, sent: 1 },
  { name: "one beyond", buffered: maxBuffered + 1, sent: 0 },
  { name: "far beyond", buffered: 3 * maxBuffered, sent: 0 },
]) {
  test(`a socket that has much to take is sent nothing: ${name}`, () => {
    const { event } = outbox();
    const socket = new Slow();
    socket.bufferedAmount = buffered;
    event(socket, "one");
    assert.deepEqual([socket.sent.length, socket.closes], [sent, []]);
  });
}

for (const { name, behind, closes } of [
  { name: "at the limit", behind: maxBehind, closes: [] },
  { name: "one beyond", behind: maxBehind + 1, closes: [closed] },
  { name: "far beyond", behind: maxBehind + maxBuffered, closes: [closed] },
]) {
  test(`a socket that stays behind is closed: ${name}`, () => {
    const { event, told } = outbox();
    const socket = new Slow();
    for (let left = behind; left > 0; left -= maxBuffered) event(socket, "x".repeat(Math.min(maxBuffered, left)));
    event(socket, "y");
    assert.deepEqual([socket.closes, told], [closes, closes.length === 0 ? [] : ["a closed 1008"]]);
  });
}

for (const { name, each, sockets, closes } of [
  { name: "at the limit", each: maxBuffered, sockets: maxAll / maxBuffered, closes: 0 },
  { name: "one beyond", each: maxBuffered, sockets: maxAll / maxBuffered + 2, closes: 2 },
  { name: "far beyond", each: maxBuffered, sockets: 1_000, closes: 1_000 - maxAll / maxBuffered },
  { name: "of many who have a little", each: 100_000, sockets: 1_000, closes: 1_000 - Math.floor(maxAll / 100_000) },
]) {
  test(`all sockets together have a limit: ${name}`, () => {
    const { box } = outbox();
    const piece = "x".repeat(each / 4);
    const all = Array.from({ length: sockets }, () => new Slow());
    const calm = new Slow();
    let most = 0;
    for (let i = 0; i < 4; i++) {
      for (const [n, socket] of all.entries()) {
        box.begin();
        if (socket.closes.length === 0) box.send(`s${n}`, socket, piece);
        if (n % 10 > 0) continue;
        box.send("calm", calm, "hello");
        calm.take();
        most = Math.max(
          most,
          all.reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0),
        );
      }
    }
    const closed = all.filter((socket) => socket.closes.length > 0).length;
    assert.ok(closed >= closes * 0.7 && closed <= closes * 1.3, `${closed} sockets are closed, want about ${closes}`);
    assert.ok(most <= maxAll + 10 * piece.length, `${most} bytes are kept`);
    assert.deepEqual(calm.closes, []);
    for (const socket of all) socket.take();
    box.begin();
    box.send("late", new Slow(), piece);
    assert.equal(all.filter((socket) => socket.closes.length > 0).length, closed);
  });
}

test("what is held for all sockets counts too, and not for sockets that are gone", () => {
  const { box, told } = outbox();
  const all = Array.from({ length: 20 }, () => new Slow());
  for (const [n, socket] of all.entries()) {
    socket.bufferedAmount = maxBuffered + 1;
    for (let i = 0; i < 2; i++) {
      box.begin();
      box.send(`s${n}`, socket, "x".repeat(maxBuffered));
    }
  }
  const closed = told.length;
  assert.ok(closed > 0 && closed <= 10, `${closed} sockets are closed`);
  for (const n of all.keys()) box.forget(`s${n}`);
  const [one, other] = [new Slow(), new Slow()];
  for (const [conn, socket] of [
    ["one", one],
    ["other", other],
  ] as const) {
    socket.bufferedAmount = 3 * maxBuffered;
    box.begin();
    box.send(conn, socket, "x");
  }
  assert.deepEqual([one.closes, other.closes], [[], []]);
});

test("what was held is sent in its order when the socket has caught up", () => {
  const { event } = outbox();
  const socket = new Slow();
  event(socket, "x".repeat(maxBuffered + 1), "one");
  event(socket, "two");
  mock.timers.tick(1_000);
  assert.equal(socket.sent.length, 1);
  socket.take();
  event(socket, "three");
  mock.timers.tick(100);
  assert.deepEqual(socket.sent.slice(1), ["one", "two", "three"]);
  event(socket, "four");
  assert.deepEqual([socket.sent.at(-1), socket.closes], ["four", []]);
});

test("one event may send more than the limit, and what follows is counted anew", () => {
  const { event } = outbox();
  const socket = new Slow();
  const page = "x".repeat(maxBuffered);
  event(socket, ...Array.from({ length: 12 }, () => page));
  for (let i = 0; i < 3; i++) event(socket, page);
  assert.deepEqual(socket.closes, []);
  event(socket, page);
  assert.deepEqual(socket.closes, [closed]);
});

test("a socket that takes nothing for half a minute is closed, and one that takes a little is not", () => {
  const { event, told } = outbox();
  const [still, slow] = [new Slow(), new Slow()];
  event(still, "x".repeat(maxBuffered + 1), "one");
  for (let i = 0; i < 310; i++) mock.timers.tick(100);
  assert.deepEqual([still.closes, told], [[closed], ["a closed 1008"]]);
  event(slow, "x".repeat(2 * maxBuffered), "one");
  for (let i = 0; i < 600; i++) {
    if (i % 100 === 0) slow.take(1);
    mock.timers.tick(100);
  }
  assert.deepEqual(slow.closes, []);
});

test("a socket that does not take what was held is reported, and one that is gone is forgotten", () => {
  const { box, event, told } = outbox();
  const socket = new Slow();
  event(socket, "x".repeat(maxBuffered + 1), "one");
  socket.take();
  socket.send = () => {
    throw new Error("no");
  };
  mock.timers.tick(100);
  assert.deepEqual(told, ["a failed Error: no"]);
  const gone = new Slow();
  event(gone, "x".repeat(maxBuffered + 1), "one");
  box.forget("a");
  mock.timers.tick(60_000);
  assert.deepEqual([gone.sent.length, gone.closes], [1, []]);
});
