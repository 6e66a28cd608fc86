import assert from "node:assert/strict";
import { test } from "node:test";
import { Exit, wasi } from "./wasi.ts";

/** Makes the functions over a memory of their own, and collects their output. */
function start(now = () => 0) {
  const memory = new ArrayBuffer(256);
  const wrote: string[] = [];
  const functions = wasi(() => memory, { now, seed: (bytes) => void bytes.fill(7), write: (text) => wrote.push(text) });
  const call = (name: string, ...args: unknown[]) => (functions[name] as (...args: unknown[]) => number)(...args);
  return { call, view: new DataView(memory), bytes: new Uint8Array(memory), wrote };
}

test("the clock is never zero and never stands still", () => {
  let now = 0;
  const { call, view } = start(() => now);
  let last = 0n;
  for (now of [0, 0, 5.5, 5, 3, 1_700_000_000_000]) {
    assert.equal(call("clock_time_get", 0, 0n, 8), 0);
    const time = view.getBigUint64(8, true);
    assert.ok(time > last && time >= BigInt(Math.floor(now)) * 1_000_000n);
    last = time;
  }
});

test("random_get fills exactly the requested bytes", () => {
  const { call, bytes } = start();
  assert.equal(call("random_get", 10, 3), 0);
  assert.deepEqual([...bytes.subarray(9, 14)], [0, 7, 7, 7, 0]);
});

test("fd_write joins its pieces and knows two files", () => {
  const { call, view, bytes, wrote } = start();
  bytes.set(new TextEncoder().encode("one two"), 100);
  for (const [i, n] of [100, 4, 104, 3].entries()) view.setUint32(4 * i, n, true);
  assert.equal(call("fd_write", 2, 0, 2, 50), 0);
  assert.equal(view.getUint32(50, true), 7);
  assert.equal(wrote.join(""), "one two");
  assert.equal(call("fd_write", 3, 0, 2, 50), 8);
});

test("there are no arguments, no environment and no files", () => {
  const { call, view } = start();
  view.setUint32(0, 9, true);
  view.setUint32(4, 9, true);
  assert.equal(call("args_sizes_get", 0, 4), 0);
  assert.deepEqual([view.getUint32(0), view.getUint32(4)], [0, 0]);
  assert.equal(call("fd_prestat_get", 3, 0), 8);
  assert.equal(call("path_open", 3, 0, 0, 4, 0, 0n, 0n, 0, 8), 8);
  assert.equal(call("fd_seek", 3, 0n, 0, 8), 8);
});

test("proc_exit throws", () => {
  const { call } = start();
  assert.throws(
    () => call("proc_exit", 3),
    (error) => error instanceof Exit && /code 3/.test(error.message),
  );
});

test("a short wait ends at once, and a long one is refused", () => {
  const { call, view } = start();
  const wait = (nanoseconds: bigint) => {
    view.setBigUint64(0, 42n, true);
    view.setUint8(8, 0);
    view.setBigUint64(24, nanoseconds, true);
    return call("poll_oneoff", 0, 64, 1, 128);
  };
  call("clock_time_get", 1, 0n, 200);
  const before = view.getBigUint64(200, true);
  assert.equal(wait(1_000_000n), 0);
  assert.deepEqual([view.getBigUint64(64, true), view.getUint16(72, true), view.getUint32(128, true)], [42n, 0, 1]);
  call("clock_time_get", 1, 0n, 200);
  assert.ok(view.getBigUint64(200, true) > before + 1_000_000n);
  assert.throws(() => wait(1_000_001n), /wait inside a step/);
});
