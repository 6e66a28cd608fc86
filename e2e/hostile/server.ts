// A server of the Model Context Protocol whose tool has one of the hostile schemas: that of /0, /1 and so on.
import { type Counter, counter } from "../workflow/counter.ts";
import type { Pair } from "./inputs.ts";

/** Starts a server with the tool `look` for each pair. */
export function hostileServer(pairs: Pair[]): Promise<Counter> {
  return counter(({ path, body }, response) => {
    const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: unknown; method?: string };
    const answer = (result: object) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result } }));
    };
    const pair = pairs[Number(path.slice(1))];
    const cached = { ttlMs: 3_600_000, cacheScope: "private" };
    const hints = { readOnlyHint: true, destructiveHint: false };
    const tool = { name: "look", annotations: hints, inputSchema: { type: "object" }, outputSchema: pair?.schema };
    switch (method) {
      case "server/discover":
        answer({
          ...cached,
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {} },
          serverInfo: { name: "evil", version: "1" },
        });
        break;
      case "tools/list":
        answer({ ...cached, tools: [tool] });
        break;
      case "tools/call":
        answer({ content: [{ type: "text", text: "x" }], structuredContent: pair?.output });
        break;
      default:
        response.writeHead(404).end();
    }
  });
}
