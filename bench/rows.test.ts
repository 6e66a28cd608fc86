// What the platform bills for what people do, and what a turn sends, held to budgets.json. Slow motion makes the figures the
// same on every machine. No figure may grow, and one that falls lowers its budget: UPDATE=1 node --test bench/rows.test.ts
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as rows from "./rows.ts";
import { Side } from "./side.ts";

const file = join(import.meta.dirname, "budgets.json");
const update = process.env.UPDATE === "1";
const budgets = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
const figures: Record<string, number> = {};

let side: Side;
before(async () => {
  side = await Side.start("tributary", { counting: true, slow: 8 });
});
after(async () => {
  await side?.stop();
  if (update) writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
});

/** How far a figure may be off its budget: what comes at the same time may be taken together or not. */
const leeway = { above: 1.05, below: 0.85 };

/** What is wrong with a figure, if anything is. */
function fault(value: number, budget: number | undefined): string | undefined {
  if (budget === undefined) return `${value}, and nothing is budgeted`;
  if (value > budget * leeway.above) return `${value}, and ${budget} are budgeted`;
  if (value < budget * leeway.below) return `${value}: the budget of ${budget} can be lowered`;
  return undefined;
}

const scenes: Record<string, (side: Side, note: Parameters<typeof rows.fresh>[1]) => Promise<void>> = {
  "a new agent": rows.fresh,
  turns: rows.turns,
  helpers: rows.helpers,
  "another tab, and helpers beside kept runs": (side, note) => rows.kept(side, note, 48),
  "turns behind others": (side, note) => rows.history(side, note, 500, 40),
  "code with calls": rows.code,
  "the bytes of a turn": (side, note) => rows.bytes(side, note, 10),
};
for (const [name, play] of Object.entries(scenes)) {
  test(`${name}: within the budget`, async () => {
    const faults: Record<string, string> = {};
    await play(side, (key, value) => {
      figures[key] = value;
      const wrong = fault(value, budgets[key]);
      if (wrong) faults[key] = wrong;
    });
    if (!update) assert.deepEqual(faults, {});
  });
}

test("the shim counts what the bench counts", async () => {
  const counts = Object.values(await rows.settled(side));
  const costs = (await (await fetch(`${side.url}/costs`)).json()) as Record<string, number>[];
  for (const key of ["statements", "rowsRead", "rowsWritten"] as const) {
    const seen = counts.reduce((all, count) => all + count[key], 0);
    const own = costs.reduce((all, cost) => all + (cost[key] ?? 0), 0);
    assert.equal(own, seen, key);
  }
});
