// What it takes to be ready: both modules before the first request, as the linker leaves them (in the column of the floor) and
// as they are shipped, then instances of the agents. Both take turns. "replay" has the first request of a process.
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Table } from "../table.ts";

const checkout = join(import.meta.dirname, "../..");
const shipped = join(checkout, ".tributary");
const engine = join(shipped, "quickjs.wasm");

export async function start(table: Table, rounds: number): Promise<void> {
  const linked = await mkdtemp(join(tmpdir(), "tributary-bench-start-"));
  try {
    for (const name of ["agents.wasm", "frontdoor.wasm"]) await cp(join(shipped, "linked", name), join(linked, name));
    await cp(engine, join(linked, "quickjs.wasm"));
    for (let round = 0; round < rounds; round++) {
      for (const [side, folder] of [
        ["floor", linked],
        ["tributary", shipped],
      ] as const) {
        ready(table, side, folder);
        instances(table, side, folder);
      }
    }
  } finally {
    await rm(linked, { recursive: true });
  }
}

type Column = "floor" | "tributary";

/** The CPU before the first request, of a process of its own. */
function ready(table: Table, side: Column, folder: string): void {
  const said = String(execFileSync(process.execPath, ["worker/startup.ts", folder], { cwd: checkout }));
  const [sum, door, agents] = (said.match(/\d+/g) ?? []).map(Number);
  table.add("started.ready", side, Number(sum));
  table.add("started.door", side, Number(door));
  table.add("started.agents", side, Number(agents));
}

function instances(table: Table, side: Column, folder: string): void {
  const args = ["bench/start/instances.ts", join(folder, "agents.wasm"), engine];
  const { first, further, copy } = JSON.parse(String(execFileSync(process.execPath, args, { cwd: checkout })));
  table.add("started.first", side, first);
  table.add("started.further", side, further);
  table.add("started.beyond", side, further - copy);
}
