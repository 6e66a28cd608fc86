import { readFile } from "node:fs/promises";
import { below } from "../e2e/workerd.ts";

/** The resident memory of the largest workerd below a process, in MB. */
export async function resident(root: number): Promise<number> {
  const statuses = await Promise.all(below(root).map((pid) => readFile(`/proc/${pid}/status`, "utf8").catch(() => "")));
  const workerds = statuses.filter((status) => /^Name:\s+workerd/m.test(status));
  return Math.max(...workerds.map((status) => Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024));
}
