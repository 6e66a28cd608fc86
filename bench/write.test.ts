import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Figures, replaceSection, tableOf } from "./write.ts";

const both = (tributary: number, peer: number) => ({ tributary, peer });

test("a row has the figures of both sides, and one that was not measured stays", () => {
  const figures: Figures = {
    "connect.cold": both(17.6, 25.2),
    "rate.plain": both(61_234, 11_099),
    "rate.16": both(18_950, 7512),
    "crowd.turn": both(3312, 3790),
    "memory.agent": both(912, 1650),
    "memory.helper": both(204, 1024),
    "size.whole": both(5000, 586),
    "first.first": both(9, 10), // without the later one
  };
  const before = "| the same, connected again | 10 ms | 6 ms |\n| something that is gone | 1 | 2 |";
  assert.deepEqual(tableOf(figures, before).split("\n"), [
    "| | Tributary | Agents SDK |",
    "| --- | --- | --- |",
    "| new conversation, until it is connected | 18 ms | 25 ms |",
    "| the same, connected again | 10 ms | 6 ms |",
    "| chunks a second of a plain answer; through the parent, from 16 helpers | 61,000; 19,000 | 11,000; 7,500 |",
    "| resident memory of a conversation; of a helper that has answered | 912 KB; 204 KB | 1.6 MB; 1 MB |",
    "| an answer of 50 chunks reaches all of 1,000 connections | 3.3 s | 3.8 s |",
    "| uploaded by a deployment, compressed | 5.1 MB | 0.6 MB |",
  ]);
});

test("a section is replaced between its marks", () => {
  const text = "a\n<!-- x -->\n\nold\n\n<!-- end of x -->\nb";
  assert.equal(
    replaceSection(text, "x", (before) => `${before}, new`),
    "a\n<!-- x -->\n\nold, new\n\n<!-- end of x -->\nb",
  );
  assert.throws(() => replaceSection(text, "y", (before) => before), /no section "y"/);
});

test("README has the sections that are written", () => {
  const text = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  for (const name of ["figures of the bench", "sizes of the modules"])
    assert.equal(
      replaceSection(text, name, (before) => before),
      text,
    );
});
