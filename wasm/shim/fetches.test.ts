// What a request of an object holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withSecret } from "./fetches.ts";

test("a secret stands behind the value of its header, and is encoded with the name in front of it", () => {
  assert.equal(withSecret("", "s"), "s");
  assert.equal(withSecret("Bearer ", "s"), "Bearer s");
  assert.equal(withSecret("Basic id:", "s"), "Basic aWQ6cw==");
  assert.equal(withSecret("Basic id:", "a b:ü"), `Basic ${btoa("id:a%20b%3A%C3%BC")}`);
});
