// How fast an agent answers other programs that use it by the Model Context Protocol, through the front door, on a
// connection that is open. The agent is that of e2e/mcp. The floor is a bare object that answers with as many bytes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { application } from "../../e2e/application.ts";
import { dev } from "../../e2e/dev.ts";
import { type Params, Program } from "../../e2e/mcp/program.ts";
import { roots } from "../../e2e/mcp/roots.ts";
import { median } from "../quantile.ts";
import { Side } from "../side.ts";
import type { Table } from "../table.ts";

/** How many requests of a kind are one sample. The first ones of a connection are not measured. */
const [requests, warm] = [50, 10];

interface Question {
  method: string;
  params?: Params;
}

interface Asked extends Question {
  program: Program;
}

const questions: Question[] = [
  { method: "tools/list" },
  { method: "tools/call", params: { name: "test_simple_text", arguments: {} } },
];

export async function mcp(table: Table, rounds: number): Promise<void> {
  const project = await application(join(import.meta.dirname, "../../e2e/mcp/agents"), roots);
  const state = await mkdtemp(join(tmpdir(), "tributary-bench-mcp-"));
  const server = await dev({ config: project.path("wrangler.jsonc"), state });
  const bare = await Side.start("floor");
  try {
    const program = new Program(`${server.url}/agents/everything/bench/mcp`);
    const ours = questions.map((question): Asked => ({ program, ...question }));
    const floor = await Promise.all(
      ours.map(async (asked): Promise<Asked> => {
        const bytes = JSON.stringify(await program.ask(asked.method, asked.params)).length;
        return { ...asked, program: new Program(`${bare.url}/agents/assistant/bench/mcp?bytes=${bytes}`) };
      }),
    );
    for (let i = 0; i < rounds; i++) {
      await table.take(["mcp.list", "mcp.call"], "floor", () => sample(floor));
      await table.take(["mcp.list", "mcp.call"], "tributary", () => sample(ours));
    }
  } finally {
    await bare.stop();
    await server.stop();
    await rm(state, { recursive: true, force: true });
    await project.remove();
  }
}

/** What each question takes, in ms: the median of many requests, one after the other. */
async function sample(all: Asked[]): Promise<number[]> {
  const medians = [];
  for (const { program, method, params } of all) {
    const times = [];
    for (let n = 0; n < warm + requests; n++) {
      const begun = performance.now();
      await program.ask(method, params);
      if (n >= warm) times.push(performance.now() - begun);
    }
    medians.push(median(times));
  }
  return medians;
}
