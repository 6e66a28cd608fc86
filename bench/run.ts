// The floor, Tributary and the peer beside each other, in one run: ./build.sh bench [names]. It prints a table and writes
// build/bench.json. With --write it also writes README's figures anew, those that were measured. ROUNDS is how often the sides
// take turns, and --minutes how long each kind of attack of "neighbour" lasts.
//
// The floor is a bare Worker, the peer Cloudflare's own SDK. A figure is what the best fifth of its samples reach, and
// their median behind it; goals are about the best fifth, because other work of the machine can only slow a side down.
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { code } from "./group/code.ts";
import { cpu } from "./group/cpu.ts";
import { crowd } from "./group/crowd.ts";
import { engine } from "./group/engine.ts";
import { frontdoor } from "./group/frontdoor.ts";
import { latency, rate } from "./group/latency.ts";
import { long } from "./group/long.ts";
import { mcp } from "./group/mcp.ts";
import { memory } from "./group/memory.ts";
import { neighbour } from "./group/neighbour.ts";
import { recover } from "./group/recover.ts";
import { replay } from "./group/replay.ts";
import { rows } from "./group/rows.ts";
import { size } from "./group/size.ts";
import { start } from "./group/start.ts";
import { workflow } from "./group/workflow.ts";
import { Table, text } from "./table.ts";
import { write } from "./write.ts";

type Groups = Record<string, (table: Table, rounds: number) => Promise<void>>;

const usual: Groups = { size, rows, latency, rate, replay, memory, crowd, cpu, workflow, code, mcp, engine };
/** What is measured by its name only. */
const more: Groups = { frontdoor, long, recover, neighbour, start };
const groups: Groups = { ...usual, ...more };

const rounds = Number(process.env.ROUNDS ?? 10);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string" }, write: { type: "boolean" } },
});
if (values.minutes) process.env.MINUTES = values.minutes;
const wanted = positionals.length > 0 ? positionals : Object.keys(usual);
const unknown = wanted.filter((name) => !(name in groups));
if (unknown.length > 0)
  throw new Error(`there is no ${unknown.join(" and no ")}: choose of ${Object.keys(groups).join()}`);

const table = new Table();
for (const name of wanted) {
  console.error(`${new Date().toLocaleTimeString("sv")} ${name}`);
  await groups[name]?.(table, rounds);
}
const lines = table.lines();
const { X_LOCAL_OBSERVABILITY: recording } = process.env;
const about = { at: new Date().toISOString(), cpu: cpus().map(({ model }) => model), rounds, recording };
await mkdir("build", { recursive: true });
await writeFile("build/bench.json", JSON.stringify({ ...about, lines }, null, 1));
console.log(text(lines));
if (values.write) {
  const best = lines.map(({ key, figures }) => [
    key,
    Object.fromEntries(Object.entries(figures).map(([side, figure]) => [side, figure.best])),
  ]);
  write(Object.fromEntries(best));
}
