// Who is known to have trapped. ../tck/contain_test.go shows, on both hosts, what that does to whom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Containment } from "./containment.ts";

test("a thousand trees are known, those that trapped last", () => {
  const containment = new Containment(() => assert.fail("nothing is opened"), 48 << 20);
  const trap = (tree: string) => containment.died(tree, containment.holder(tree), 1);
  const shared = containment.holder("first");
  trap("first");
  trap("first");
  for (let n = 1; n < 1000; n++) trap(String(n));
  assert.notEqual(containment.holder("first"), shared);
  trap("one more");
  assert.equal(containment.holder("first"), shared);
});
