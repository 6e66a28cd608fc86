// What it costs that the engine of scripts counts its work: five programs in the published engine, as the floor, and in the
// metered one, in turns.
import { join } from "node:path";
import { compile, Engine } from "../quickjs.ts";
import type { Table } from "../table.ts";

const checkout = join(import.meta.dirname, "../..");
const files = {
  floor: join(checkout, "node_modules/quickjs-wasi/quickjs.wasm"),
  tributary: join(checkout, "internal/embedded/quickjs/quickjs.wasm"),
} as const;

const records = `Array.from({ length: 5000 }, (_, n) => ({ n: n * 7919 % 5000, kind: "kind " + n % 17, words: "record " + n }))`;
const programs = {
  "engine.recursion": "(function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) })(24)",
  "engine.records": `{
    const groups = {};
    for (const record of ${records}) (groups[record.kind] ??= []).push(record);
    for (const group of Object.values(groups)) group.sort((a, b) => a.n - b.n);
  }`,
  "engine.text": `{
    let found = 0;
    for (let n = 0; n < 5000; n++) found += ("word " + n + " and more").replace(/\\d+/g, (m) => m + m).split(" ").length;
  }`,
  "engine.json": `JSON.parse(JSON.stringify(${records}))`,
  "engine.promises": "(async () => { for (let n = 0; n < 20000; n++) await n })()",
} as const;

export async function engine(table: Table, rounds: number): Promise<void> {
  const modules = { floor: await compile(files.floor), tributary: await compile(files.tributary) };
  const sides = ["floor", "tributary"] as const;
  for (const side of sides) for (const program of Object.values(programs)) new Engine(modules[side]).run(program);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? sides : sides.toReversed();
    for (const key of Object.keys(programs) as (keyof typeof programs)[])
      for (const side of order) table.add(key, side, new Engine(modules[side]).run(programs[key]));
  }
}
