// A server of the Model Context Protocol to try things with, and for tests: npx node e2e/mcp/demo/server.ts
// It listens on 127.0.0.1, at PORT or 8990, and forgets everything when it ends.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { requestOf, respond } from "./http.ts";
import { SignIn } from "./oauth.ts";
import { Office } from "./office.ts";
import { Tasks } from "./tasks.ts";
import { serverOf } from "./tools.ts";

export interface Options {
  /** 0, the default, is a free port. */
  port?: number;
  /** Is awaited between two steps of slow work: a second by default. */
  pace?: () => Promise<unknown>;
}

/** Demo is a server that runs. */
export interface Demo {
  /** The address that is open to everybody, and the one that wants its client to sign in. */
  url: string;
  privateUrl: string;
  /** What the tools have done. */
  office: Office;
  signIn: SignIn;
  stop: () => Promise<void>;
}

/** Starts a server. */
export async function serve({ port = 0, pace = () => pause(1000) }: Options = {}): Promise<Demo> {
  const http = createServer((incoming, outgoing) => {
    const request = requestOf(incoming, outgoing);
    answer(request)
      .catch((error: unknown) => new Response(String(error), { status: 500 }))
      .then((response) => respond(outgoing, response));
  });
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const office = new Office(origin, pace);
  const tasks = new Tasks(office);
  const handler = createMcpHandler(() => serverOf(office));
  const signIn = new SignIn(origin, "/private/mcp");
  const mcp = async (request: Request) => (await tasks.answer(request)) ?? handler.fetch(request);

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return mcp(request);
    if (pathname === "/private/mcp") return (await signIn.refuse(request)) ?? mcp(request);
    return office.page(request) ?? (await signIn.answer(request)) ?? new Response("Nothing is here.", { status: 404 });
  }

  const stop = async () => {
    http.close();
    http.closeAllConnections();
    await handler.close();
  };
  return { url: `${origin}/mcp`, privateUrl: `${origin}/private/mcp`, office, signIn, stop };
}

if (import.meta.main) {
  const { url, privateUrl } = await serve({ port: Number(process.env.PORT ?? 8990) });
  console.log(`Open to everybody: ${url}\nAfter signing in:  ${privateUrl}`);
}
