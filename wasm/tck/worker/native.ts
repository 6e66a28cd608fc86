// What the platform itself carries between two objects, without the module: for the tests that show where that ends.
import { DurableObject } from "cloudflare:workers";
import type { Neighbour } from "../../shim/facets.ts";
import { Source } from "./source.ts";

/** I/O objects of one Durable Object, within reach of every other one in the isolate. */
let body: ReadableStream<Uint8Array> | null = null;
let socket: WebSocket | undefined;

/** A facet that hands out what does not travel. */
export class Native extends DurableObject {
  /** A stream whose chunks are objects, as one would write it. */
  objects(): ReadableStream<{ n: number }> {
    return new ReadableStream({ pull: (controller) => controller.enqueue({ n: 1 }) });
  }

  /** Leaves a native stream where others find it. */
  leaveBody(): void {
    body = new Response("text").body;
  }

  /** Leaves a native socket where others find it. */
  leaveSocket(): void {
    socket = new WebSocketPair()[0];
    socket.accept();
  }
}

type Stub = Neighbour & {
  objects(): Promise<ReadableStream<{ n: number }>>;
  leaveBody(): Promise<void>;
  leaveSocket(): Promise<void>;
};

/** An object that reads its facets by hand; the path's last segment names what it shall do. */
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

  /** The module's object in a facet: called, and read to the end. */
  async #bytes(): Promise<string> {
    const facet = this.#facet("Source");
    const answer = text(await facet.call(bytes("echo hello")));
    return `${answer} ${await new Response(await facet.open(bytes("3 1 0"))).text()}`;
  }

  /** Reads a stream of many chunks a few bytes at a time, and notes how far its writer has gone each time. */
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
   * Waits for a call and a stream of a facet that is silent, while another one traps, and tells what becomes of them; "still
   * there" where the facet goes on answering others.
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

  /** Tries every method that a facet has, but for fetch, which no other object can send it, and tells which are reached. */
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
