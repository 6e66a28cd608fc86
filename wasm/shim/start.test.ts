import assert from "node:assert/strict";
import { test } from "node:test";
import { type Start, Starts } from "./start.ts";

const given = (prelude: string, memory = 1, stack = 2) => ({ prelude: Buffer.from(prelude), memory, stack });
const start = (work: number): Start => ({ image: new Uint8Array(work), work, prelude: 1, verbs: new Map() });

test("a start is found by all that it depends on", () => {
  const starts = new Starts();
  const prelude = given("prelude");
  starts.keep(prelude, start(1));
  prelude.prelude.fill(0); // a request's bytes are the module's, which writes others there
  assert.equal(starts.find(given("prelude"))?.work, 1);
  for (const other of [given("another"), given("preludes"), given("prelude", 3), given("prelude", 1, 3)])
    assert.equal(starts.find(other), undefined);
});

test("the two that were used last are kept", () => {
  const starts = new Starts();
  starts.keep(given("a"), start(1));
  starts.keep(given("b"), start(2));
  assert.equal(starts.find(given("a"))?.work, 1);
  starts.keep(given("c"), start(3));
  assert.deepEqual(
    ["a", "b", "c"].map((prelude) => starts.find(given(prelude))?.work),
    [1, undefined, 3],
  );
});
