// How fast an agent answers other programs that use it by the Model Context Protocol, through the front door, on a
// connection that is open. The agent is that of e2e/mcp.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { application } from "../../e2e/application.ts";
import { dev } from "../../e2e/dev.ts";
import { type Params, Program } from "../../e2e/mcp/program.ts";
import { roots } from "../../e2e/mcp/roots.ts";
import { median } from "../quantile.ts";
import type { Table } from "../table.ts";

/** How many requests of a kind are one sample. The first ones of a connection are not measured. */
const [requests, warm] = [50, 10];

export async function mcp(table: Table, rounds: number): Promise<void> {
  const project = await application(join(import.meta.dirname, "../../e2e/mcp/agents"), roots);
  const state = await mkdtemp(join(tmpdir(), "tributary-bench-mcp-"));
  const server = await dev({ config: project.path("wrangler.jsonc"), state });
  try {
    const program = new Program(`${server.url}/agents/everything/bench/mcp`);
    await asked(program, "tools/list");
    for (let i = 0; i < rounds; i++)
      await table.take(["mcp.list", "mcp.call"], "tributary", async () => [
        await asked(program, "tools/list"),
        await asked(program, "tools/call", { name: "test_simple_text", arguments: {} }),
      ]);
  } finally {
    await server.stop();
    await rm(state, { recursive: true, force: true });
    await project.remove();
  }
}

/** What one request takes, in ms: the median of many, one after the other. */
async function asked(program: Program, method: string, params?: Params): Promise<number> {
  const times = [];
  for (let n = 0; n < warm + requests; n++) {
    const begun = performance.now();
    await program.ask(method, params);
    if (n >= warm) times.push(performance.now() - begun);
  }
  return median(times);
}
