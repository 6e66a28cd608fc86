// How fast an agent answers other programs that use it by the Model Context Protocol, through the front door, on a
// connection that is open. The agent is that of e2e/mcp.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { application } from "../../e2e/application.ts";
import { dev } from "../../e2e/dev.ts";
import { median } from "../quantile.ts";
import type { Table } from "../table.ts";

const version = "2026-07-28";
/** How many requests of a kind are one sample. The first ones of a connection are not measured. */
const [requests, warm] = [50, 10];

export async function mcp(table: Table, rounds: number): Promise<void> {
  const project = await application(join(import.meta.dirname, "../../e2e/mcp/agents"), [
    "Everything",
    "Visitor",
    "Warden",
    "Hermit",
  ]);
  const state = await mkdtemp(join(tmpdir(), "tributary-bench-mcp-"));
  const server = await dev({ config: project.path("wrangler.jsonc"), state });
  try {
    const url = `${server.url}/agents/everything/bench/mcp`;
    await asked(url, "tools/list", {});
    for (let i = 0; i < rounds; i++)
      await table.take(["mcp.list", "mcp.call"], "tributary", async () => [
        await asked(url, "tools/list", {}),
        await asked(url, "tools/call", { name: "test_simple_text", arguments: {} }),
      ]);
  } finally {
    await server.stop();
    await rm(state, { recursive: true, force: true });
    await project.remove();
  }
}

/** What one request takes, in ms: the median of many, one after the other. */
async function asked(url: string, method: string, params: { name?: string; arguments?: object }): Promise<number> {
  const times = [];
  for (let id = 0; id < warm + requests; id++) {
    const begun = performance.now();
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": method,
        ...(params.name && { "mcp-name": params.name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: sender } }),
    });
    const text = await response.text();
    if (!response.ok || !text.includes('"result"')) throw new Error(`${method}: ${response.status} ${text}`);
    if (id >= warm) times.push(performance.now() - begun);
  }
  return median(times);
}

const sender = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
