import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cost, Costs } from "./cost.ts";

function spend(costs: Costs, path: string, since: number, rowsRead: number): Cost {
  const cost = costs.open(path, since, false);
  cost.add({ rowsRead, rowsWritten: 1 });
  return cost;
}

test("an object is answered with its own counts, and with those of the objects below it that are in memory", () => {
  const costs = new Costs();
  const paths = ["id/room", "id/room/helper-1", "id/room/helper-2", "id/roomy", "other/room"];
  const kept = paths.map((path, n) => spend(costs, path, n + 1, 10 * n + 10));
  const below = ["helper-2", 3, 1, 30, 1, 0, 0];
  assert.deepEqual(costs.ask("id/room"), [["", 1, 1, 10, 1, 0, 0], ["helper-1", 2, 1, 20, 1, 0, 0], below]);
  assert.deepEqual(costs.ask("id/room/helper-2"), [["", ...below.slice(1)]]);
  assert.deepEqual(costs.ask("id"), [
    ["room", 1, 1, 10, 1, 0, 0],
    ["room/helper-1", 2, 1, 20, 1, 0, 0],
    ["room/helper-2", 3, 1, 30, 1, 0, 0],
    ["roomy", 4, 1, 40, 1, 0, 0],
  ]);
  assert.deepEqual(costs.ask("nobody"), []);
  assert.equal(kept.length, paths.length);
});

test("the count of a facet goes on when it comes back, as long as its parent is in memory", () => {
  const costs = new Costs();
  const root = costs.open("a", 1, false);
  const below = costs.open("a/1", 2, true);
  below.add({ rowsRead: 5, rowsWritten: 0 });
  assert.equal(costs.open("a/1", 3, true), below);
  assert.equal(costs.open("a/1/1", 4, true), costs.open("a/1/1", 5, true));
  costs.delete("a/1");
  assert.notEqual(costs.open("a/1", 6, true), below);
  assert.equal(root.below.get("1")?.since, 6);
  const again = costs.open("a", 7, false);
  assert.equal(costs.open("a/1", 8, true).since, 8);
  assert.equal(again.below.size, 1);
});

test("an object that was deleted is not listed, nor are those below it", () => {
  const costs = new Costs();
  const kept = ["a", "a/1", "a/1/1", "a/12"].map((path) => costs.open(path, 7, path !== "a"));
  costs.delete("a/1");
  const paths = () => costs.ask("a").map(([path]) => path);
  assert.deepEqual(paths(), ["", "12"]);
  kept.push(costs.open("a/1", 8, true));
  assert.deepEqual(paths(), ["", "1", "12"]);
  costs.delete("a");
  assert.deepEqual(paths(), []);
});

test("an event that asks for the costs counts until it asks, and the next one counts again", () => {
  const costs = new Costs();
  const cost = spend(costs, "a", 1, 10);
  const other = costs.open("a/1", 1, true);
  const statement = { rowsRead: 5, rowsWritten: 0 };
  cost.add(statement);
  assert.deepEqual(costs.ask("a")[0], ["", 1, 2, 15, 1, 0, 0]);
  cost.add(statement);
  cost.down += 1000;
  other.add(statement);
  cost.resume();
  other.resume();
  cost.add(statement);
  cost.up += 7;
  cost.resume();
  assert.deepEqual(costs.ask("a"), [
    ["", 1, 3, 20, 1, 0, 7],
    ["1", 1, 1, 5, 0, 0, 0],
  ]);
});
