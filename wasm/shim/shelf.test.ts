import assert from "node:assert/strict";
import { test } from "node:test";
import { Shelf } from "./shelf.ts";

const MiB = 1 << 20;
const box = (size: number) => ({ size: size * MiB });

test("a box is taken once", () => {
  const shelf = new Shelf();
  const one = box(1);
  shelf.put("one", one, 0);
  assert.equal(shelf.take("one"), one);
  assert.equal(shelf.take("one"), undefined);
  assert.equal(shelf.take("another"), undefined);
});

test("what takes more than 48 MiB together is dropped, the least recently used first", () => {
  const shelf = new Shelf();
  for (const name of ["a", "b", "c"]) shelf.put(name, box(16), 0);
  const a = shelf.take("a");
  assert.ok(a);
  shelf.put("a", a, 0);
  shelf.put("d", box(17), 0);
  assert.deepEqual(
    ["a", "b", "c", "d"].filter((name) => shelf.take(name)),
    ["a", "d"],
  );
});

test("a box that has grown drops others", () => {
  const shelf = new Shelf();
  const grown = { size: MiB };
  shelf.put("grown", grown, 0);
  shelf.put("other", box(20), 0);
  shelf.take("grown");
  grown.size = 32 * MiB;
  shelf.put("grown", grown, 0);
  assert.equal(shelf.take("other"), undefined);
  assert.equal(shelf.take("grown"), grown);
});

test("a box that has waited for more than ten seconds is dropped", () => {
  const shelf = new Shelf();
  shelf.put("early", box(1), 1000);
  shelf.put("late", box(1), 1001);
  shelf.expire(11_000);
  shelf.expire(11_001);
  assert.equal(shelf.take("early"), undefined);
  assert.ok(shelf.take("late"));
});
