// A server of the protocol that does what a test wants of it, down to the bytes. The demo server, in demo, keeps the rules.
import type { ServerResponse } from "node:http";
import { type Asked, type Counter, counter } from "../workflow/counter";
import { extension } from "./modern";

/** A request to the server, and how to answer it. */
export interface Remote {
  path: string;
  id: unknown;
  method: string;
  params: Params;
  response: ServerResponse;
  /** Answers with a result. */
  result: (result: object) => void;
  /** Answers with an error, and a status if it is not 200. */
  fail: (error: object, status?: number) => void;
}

interface Params {
  name?: string;
  arguments?: Record<string, unknown>;
  taskId?: string;
  requestState?: string;
  inputResponses?: Record<string, unknown>;
}

/** A tool, as it is listed. */
export interface Listed {
  name: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: object;
}

/** Answers what it wants to, and returns false for the rest. */
export type Will = (remote: Remote) => unknown;

/** A server, and what it was asked for. */
export interface Rogue extends Pick<Counter, "url" | "stop"> {
  /** The requests, such as "/1 tools/call echo". */
  asked: string[];
  /** What it lists. It may be changed. */
  tools: Listed[];
}

/** The schema of an input that can be anything. */
const anything = { type: "object" };
export const text = (words: string) => ({ content: [{ type: "text", text: words }] });

/** Starts a server. It lists its tools, and leaves what is done to the will. */
export async function rogue(tools: Listed[], will: Will): Promise<Rogue> {
  const asked: string[] = [];
  const server = await counter((one, response) => {
    const remote = read(one, response);
    asked.push([remote.path, remote.method, remote.params.name ?? remote.params.taskId].filter(Boolean).join(" "));
    if (will(remote) === false) obey(remote, self.tools);
  });
  const self = { url: server.url, stop: server.stop, asked, tools };
  return self;
}

function read({ path, body }: Asked, response: ServerResponse): Remote {
  const { id, method = "", params = {} } = body === "" ? {} : JSON.parse(body);
  const answer = (what: object, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...what }));
  };
  return {
    ...{ path, id, method, params, response },
    result: (result) => answer({ result: { resultType: "complete", ...result } }),
    fail: (error, status) => answer({ error }, status),
  };
}

/** What every server does. */
function obey(remote: Remote, tools: Listed[]): void {
  const cached = { ttlMs: 3_600_000, cacheScope: "private" };
  switch (remote.method) {
    case "server/discover":
      remote.result({
        ...cached,
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {}, extensions: { [extension]: {} } },
        serverInfo: { name: "rogue", version: "1" },
      });
      break;
    case "tools/list":
      remote.result({ ...cached, tools: tools.map((tool) => ({ inputSchema: anything, ...tool })) });
      break;
    default:
      remote.fail({ code: -32601, message: "there is no such method" }, 404);
  }
}

/** A task, as it is shown. Its time is of no importance. */
export const task = (taskId: string, status: string, more: object = {}) => ({
  ...{ taskId, status, createdAt: "2026-07-28T00:00:00Z", lastUpdatedAt: "2026-07-28T00:00:00Z" },
  ...{ ttlMs: 86_400_000, pollIntervalMs: 500 },
  ...more,
});
