// Which trapping trees are remembered. ../tck/contain_test.go shows the effect on objects, on both hosts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Containment } from "./containment.ts";

test("the thousand trees that trapped last are remembered", () => {
  const containment = new Containment(() => assert.fail("nothing is opened"), 48 << 20);
  const trap = (tree: string) => containment.died(tree, containment.pool(tree), 1);
  const shared = containment.pool("first");
  trap("first");
  trap("first");
  for (let n = 1; n < 1000; n++) trap(String(n));
  assert.notEqual(containment.pool("first"), shared);
  trap("one more");
  assert.equal(containment.pool("first"), shared);
});
