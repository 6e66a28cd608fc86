// The processes below a wrangler dev.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Dev } from "./dev.ts";

/** Kills the workerd that has the objects' storage open. wrangler starts another one on the same storage. */
export function kill(server: Dev, state: string): void {
  process.kill(holder(server, state), "SIGKILL");
}

/** The workerd that holds the objects' storage. */
export function holder(server: Dev, state: string): number {
  const [pid, ...more] = below(server.pid).filter((pid) => holds(pid, state));
  if (pid === undefined || more.length > 0)
    throw new Error(`${more.length + Number(pid !== undefined)} processes hold ${state}`);
  return pid;
}

/** The child processes of a process, and their children. */
function below(root: number): number[] {
  const parents = new Map(numbered("/proc").map((pid) => [pid, parentOf(pid)]));
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  return [...parents.keys()].filter((pid) => pid !== root && isBelow(pid));
}

/** Says whether a process has a file open in a folder. */
function holds(pid: number, folder: string): boolean {
  return numbered(`/proc/${pid}/fd`).some((fd) =>
    attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)).startsWith(`${folder}/`),
  );
}

const numbered = (folder: string) =>
  attempt(() => readdirSync(folder).join(" "))
    .split(" ")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
const parentOf = (pid: number) =>
  Number(/^PPid:\s+(\d+)/m.exec(attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")))?.[1] ?? 0);

/** The content of a process's file, or nothing if the process has just ended. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
