// The floor: a bare Durable Object and bare facets that speak just enough of the wire for the bench's client. They obey the
// words of a message and keep nothing but what the words say.
import { DurableObject } from "cloudflare:workers";
import { count, counted } from "../count.ts";

type Env = { Assistant: DurableObjectNamespace; COUNT?: string };

/** The words key=value of a text that are numbers. */
type Words = Record<string, number>;

const wordsOf = (text: string): Words =>
  Object.fromEntries([...text.matchAll(/\b(\w+)=(\d+)/g)].map(([, key, value]) => [key, Number(value)]));

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The part of an answer that a chunk carries. */
const part = (n: number) => JSON.stringify({ type: "text-delta", id: "p1", delta: `c${n} `.padEnd(16, "x") });

abstract class Bare extends DurableObject<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    if (env.COUNT) count(state, new.target.name);
  }

  /** Appends to a log, which is made when it is first written. */
  protected append(...bodies: string[]): void {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, body TEXT)");
    sql.exec("INSERT INTO log (body) VALUES (?)", bodies.join("\n"));
  }
}

/**
 * A conversation. frames=N in its address has it show so many chunks of a helper again. A POST is answered with JSON of
 * bytes=N in its address.
 */
export class Assistant extends Bare {
  override async fetch(request: Request): Promise<Response> {
    if (request.method === "POST") return posted(request);
    if (request.headers.get("upgrade") === null) return Response.json([]);
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const { frames = 0 } = wordsOf(new URL(request.url).search);
    for (let n = 0; n < frames; n++) server.send(event("r", { kind: "chunk", body: part(0) }, true));
    if (frames > 0) server.send(event("r", { kind: "finished" }, true));
    server.send(JSON.stringify({ type: "cf_agent_identity", agent: "assistant", name: this.ctx.id.name }));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(_: WebSocket, message: string): Promise<void> {
    const { id } = JSON.parse(message) as { id: string };
    const { n = 0, chunks = 5, delay = 0, write = 0, log = 0 } = wordsOf(message);
    if (write) this.append(message);
    if (n) await Promise.all(Array.from({ length: n }, (_, i) => this.#relay(`${id}-${i}`, { chunks, delay, log })));
    for (let i = 0; i < (n ? 3 : chunks); i++) {
      if (delay && i > 0) await pause(delay);
      this.#send(JSON.stringify({ type: "cf_agent_use_chat_response", id, body: part(i), done: false }));
    }
    if (write) this.append(message);
    this.#send(JSON.stringify({ type: "cf_agent_use_chat_response", id, body: "", done: true }));
  }

  #send(frame: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(frame);
  }

  /** Has a facet of its own answer, and sends on what it says. */
  async #relay(run: string, words: Words): Promise<void> {
    const { Researcher } = this.ctx.exports as unknown as { Researcher: DurableObjectClass };
    const facet = this.ctx.facets.get(run, () => ({ class: Researcher, id: run })) as unknown as Researcher;
    const reader = (await facet.open(JSON.stringify(words))).getReader({ mode: "byob" });
    let rest = "";
    for (let buffer = new Uint8Array(64 << 10); ; ) {
      const { done, value } = await reader.read(buffer);
      if (done) break;
      const bodies = (rest + new TextDecoder().decode(value)).split("\n");
      rest = bodies.pop() ?? "";
      if (words.log) this.append(...bodies);
      for (const body of bodies) this.#send(event(run, { kind: "chunk", body }));
      buffer = new Uint8Array(value.buffer);
    }
    this.#send(event(run, { kind: "finished" }));
  }
}

/** A helper: it answers in lines. log=N has it keep them, N lines a row. */
export class Researcher extends Bare {
  async open(order: string): Promise<ReadableStream<Uint8Array>> {
    const { chunks = 5, delay = 0, log = 0 } = JSON.parse(order) as Words;
    const encoder = new TextEncoder();
    let said = 0;
    const pull = async (controller: ReadableByteStreamController) => {
      if (said === chunks) return end(controller);
      if (delay && said > 0) await pause(delay);
      const batch = Math.min(delay ? 1 : log || 1, chunks - said);
      const bodies = Array.from({ length: batch }, () => part(said++));
      if (log) this.append(...bodies);
      controller.enqueue(encoder.encode(`${bodies.join("\n")}\n`));
    };
    return new ReadableStream({ type: "bytes", pull }, { highWaterMark: 0 });
  }
}

async function posted(request: Request): Promise<Response> {
  const { id } = (await request.json()) as { id: number };
  const { bytes = 0 } = wordsOf(new URL(request.url).search);
  return Response.json({ jsonrpc: "2.0", id, result: { filler: "x".repeat(bytes) } });
}

function end(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}

/** The frame of what a helper does. */
function event(run: string, what: { kind: string; body?: string }, replay?: true): string {
  const frame = {
    type: "agent-tool-event",
    parentToolCallId: run,
    sequence: 1,
    replay,
    event: { ...what, runId: run },
  };
  return JSON.stringify(frame);
}

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/counts") return Response.json(counted());
    return env.Assistant.getByName(pathname.split("/")[3] ?? "").fetch(request);
  },
};
