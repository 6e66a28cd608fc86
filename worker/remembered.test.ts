import assert from "node:assert/strict";
import { test } from "node:test";
import { Remembered } from "./remembered.ts";

test("an answer is remembered for ten seconds", () => {
  const answers = new Remembered<string>();
  assert.equal(answers.get("a", 0), undefined);
  answers.put("a", "yes", 0, 1000);
  assert.equal(answers.get("a", 10_999), "yes");
  assert.equal(answers.get("b", 10_999), undefined);
  assert.equal(answers.get("a", 11_000), undefined);
  assert.equal(answers.size, 0);
});

test("an answer is not remembered for longer than it is valid", () => {
  const answers = new Remembered<string>();
  answers.put("a", "yes", 3000, 1000);
  assert.equal(answers.get("a", 2999), "yes");
  assert.equal(answers.get("a", 3000), undefined);
  answers.put("a", "yes", 3000, 3000);
  assert.equal(answers.get("a", 3000), undefined);
});

test("an answer that is put again takes the place of the other", () => {
  const answers = new Remembered<string>();
  answers.put("a", "old", 0, 1000);
  answers.put("a", "new", 0, 2000);
  assert.equal(answers.get("a", 11_999), "new");
  assert.equal(answers.size, 1);
});

test("the newest 500 answers are remembered", () => {
  const answers = new Remembered<number>();
  for (let n = 0; n < 500; n++) answers.put(String(n), n, 0, 0);
  answers.put("0", 0, 0, 0); // the newest again
  for (let n = 500; n < 600; n++) answers.put(String(n), n, 0, 0);
  assert.equal(answers.size, 500);
  assert.deepEqual(
    [0, 1, 100, 101, 599].map((n) => answers.get(String(n), 0)),
    [0, undefined, undefined, 101, 599],
  );
});

test("an answer to a question of more than 8192 characters is not remembered", () => {
  const answers = new Remembered<string>();
  answers.put("x".repeat(8192), "yes", 0, 0);
  answers.put("x".repeat(8193), "yes", 0, 0);
  assert.equal(answers.size, 1);
});
