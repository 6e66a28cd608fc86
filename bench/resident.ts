import { readdir, readFile } from "node:fs/promises";

/** The resident memory of the largest workerd below a process, in MB. */
export async function resident(root: number): Promise<number> {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    const status = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/status`, "utf8").catch(() => "") : "";
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    parents.set(Number(entry), field("PPid"));
    if (/^Name:\s+workerd/m.test(status)) sizes.set(Number(entry), field("VmRSS") / 1024);
  }
  const below = (pid: number): boolean => pid === root || (pid > 1 && below(parents.get(pid) ?? 0));
  return Math.max(...[...sizes].filter(([pid]) => below(pid)).map(([, size]) => size));
}
