// What the platform itself can pass between two objects, without the module: for tests that show its limits.
import { DurableObject } from "cloudflare:workers";
import type { Peer } from "../../shim/facets.ts";
import { Source } from "./source.ts";

/** I/O objects of one Durable Object, which every other one in the isolate can reach. */
let body: ReadableStream<Uint8Array> | null = null;
let socket: WebSocket | undefined;

/** A facet that returns values that cannot be passed between objects. */
export class Native extends DurableObject {
  /** Returns a stream whose chunks are objects. */
  objects(): ReadableStream<{ n: number }> {
    return new ReadableStream({ pull: (controller) => controller.enqueue({ n: 1 }) });
  }

  /** Stores a native stream where other objects can reach it. */
  leaveBody(): void {
    body = new Response("text").body;
  }

  /** Stores a native socket where other objects can reach it. */
  leaveSocket(): void {
    socket = new WebSocketPair()[0];
    socket.accept();
  }
}

type Stub = Peer & {
  objects(): Promise<ReadableStream<{ n: number }>>;
  leaveBody(): Promise<void>;
  leaveSocket(): Promise<void>;
};

/** An object that calls its facets directly. The path's last segment is its order. */
export class Reader extends DurableObject<{ TRIBUTARY_INSTANCE: string }> {
  override async fetch(request: Request): Promise<Response> {
    const verbs: Record<string, () => Promise<string>> = {
      objects: async () => JSON.stringify(await (await this.#facet("Native").objects()).getReader().read()),
      body: async () => {
        await this.#facet("Native").leaveBody();
        return new Response(body).text();
      },
      socket: async () => {
        await this.#facet("Native").leaveSocket();
        socket?.send("hello");
        return "sent";
      },
      bytes: () => this.#bytes(),
      slow: () => this.#slow(),
      beside: () => this.#beside(),
      surface: () => this.#surface(),
    };
    const verb = new URL(request.url).pathname.slice(1);
    return new Response(await verbs[verb]?.().catch((error: unknown) => `${error}`));
  }

  /** Calls the module's object in a facet, and reads one of its streams to the end. */
  async #bytes(): Promise<string> {
    const facet = this.#facet("Source");
    const answer = text(await facet.call(bytes("echo hello")));
    return `${answer} ${await new Response(await facet.open(bytes("3 1 0"))).text()}`;
  }

  /** Reads a stream of many chunks a few bytes at a time, and records how far its writer is ahead each time. */
  async #slow(): Promise<string> {
    const facet = this.#facet("Source");
    const reader = (await facet.open(bytes("10000 100 0"))).getReader({ mode: "byob" });
    const ahead: number[] = [];
    let read = 0;
    for (; read < 7 * 3000; ) {
      const { value } = await reader.read(new Uint8Array(70));
      read += value?.length ?? 0;
      const emitted = text(await facet.call(bytes("emitted")));
      ahead.push(Number(emitted.split(" ")[1]) - read / 7);
    }
    await reader.cancel();
    const left = text(await facet.call(bytes("left")));
    return JSON.stringify({ most: Math.max(...ahead), left });
  }

  /**
   * Waits for a call and a stream of a silent facet while another facet traps, and returns how they end; "still there" where
   * the silent facet still answers.
   */
  async #beside(): Promise<string> {
    const silent = this.#facet("Source");
    const call = silent.call(bytes("hang")).then(text, String);
    const stream = await silent.open(bytes("1 0 0"));
    const read = new Response(stream).text().catch(String);
    await this.#facet("Source", "other").call(bytes("panic")).catch(String);
    const still = this.env.TRIBUTARY_INSTANCE === "object" && (await silent.call(bytes("echo still there")).then(text));
    return still || `${await call}; ${await read}`;
  }

  /**
   * Calls every method of a facet except fetch, which no other object can call, and returns the names of those that answer.
   */
  async #surface(): Promise<string> {
    const facet = this.#facet("Source") as unknown as Record<string, () => Promise<unknown>>;
    const reached: string[] = [];
    for (const name of methods(Source.prototype)) {
      const closed = await facet[name]?.().then(
        () => false,
        (error: unknown) => /reserved method|does not implement/.test(String(error)),
      );
      if (!closed) reached.push(name);
    }
    return reached.join();
  }

  #facet(name: "Native" | "Source", slot: string = name): Stub {
    const exports = this.ctx.exports as unknown as Record<string, DurableObjectClass>;
    return this.ctx.facets.get(slot, () => ({
      class: exports[name] as DurableObjectClass,
      id: slot,
    })) as unknown as Stub;
  }
}

/** The names that a class and those below it add to DurableObject. */
function methods(prototype: object): string[] {
  if (prototype === DurableObject.prototype) return [];
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor" && name !== "fetch");
  return [...own, ...methods(Object.getPrototypeOf(prototype))];
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
