// What the process that runs the objects uses, by /proc.
import { readFile } from "node:fs/promises";
import { holder } from "../e2e/workerd.ts";
import type { Side } from "./side.ts";

/** How many ticks of /proc a second has; Linux has told programs this number on every machine for decades. */
const ticks = 100;

/** The resident memory of a side's workerd, in KB. */
export async function resident({ server, state }: Side): Promise<number> {
  const status = await readFile(`/proc/${holder(server, state)}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
}

/** The time that a side's workerd has spent on a processor, all its threads together, in ms. */
export async function spent({ server, state }: Side): Promise<number> {
  const stat = await readFile(`/proc/${holder(server, state)}/stat`, "utf8");
  // The fields behind the name, which may hold anything. The first of them is the third of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [fields[11], fields[12]];
  return ((Number(user) + Number(system)) * 1000) / ticks;
}
