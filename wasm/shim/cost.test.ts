import assert from "node:assert/strict";
import { test } from "node:test";
import { Cost, Costs } from "./cost.ts";

function spent(since: number, rowsRead: number): Cost {
  const cost = new Cost(since);
  cost.add({ rowsRead, rowsWritten: 1 });
  return cost;
}

test("an object is answered with its own counts, and with those of the objects below it that are in memory", () => {
  const costs = new Costs();
  const kept = [spent(3, 30), spent(1, 10), spent(2, 20), spent(4, 40), spent(5, 50)];
  for (const [n, path] of ["id/room/helper-2", "id/room", "id/room/helper-1", "id/roomy", "other/room"].entries())
    costs.add(path, kept[n] as Cost);
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
});

test("an object that was deleted is not listed, nor are those below it", () => {
  const costs = new Costs();
  const kept = ["a", "a/1", "a/1/1", "a/12"].map((path) => ({ path, cost: new Cost(7) }));
  for (const { path, cost } of kept) costs.add(path, cost);
  costs.deleteTree("a/1");
  const paths = () => costs.ask("a").map(([path]) => path);
  assert.deepEqual(paths(), ["", "12"]);
  costs.add("a/1", new Cost(8));
  assert.deepEqual(paths(), ["", "1", "12"]);
  costs.delete("a");
  assert.deepEqual(paths(), ["1", "12"]);
});

test("an event that asks for the costs counts until it asks, and the next one counts again", () => {
  const costs = new Costs();
  const cost = spent(1, 10);
  costs.add("a", cost);
  const other = new Cost(1);
  costs.add("a/1", other);
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
