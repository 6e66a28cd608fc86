// The streams of facets that an object reads.
import type { Command, Of } from "./abi.ts";
import { reason } from "./calls.ts";
import { own, type Reach } from "./facets.ts";
import type { Deliver } from "./perform.ts";

/** How many bytes one StreamData carries at most. What is there already when the object reads comes as one. */
const room = 64 << 10;

export class Readings {
  readonly #reach: Reach;
  readonly #deliver: Deliver;
  readonly #running = new Map<string, Reading>();

  constructor(reach: Reach, deliver: Deliver) {
    this.#reach = reach;
    this.#deliver = deliver;
  }

  /** Resolves when the stream has come to its end. */
  async start({ stream, from, data }: Of<Command, "OpenStream">): Promise<void> {
    this.cancel(stream);
    const reading = new Reading();
    this.#running.set(stream, reading);
    const gone = () => reading.stopped;
    const facet = this.#reach(from);
    await undefined; // The commands behind this one come before anything that is told of it.
    try {
      if (gone()) return;
      await reading.run(await facet().open(own(data)), (data) =>
        this.#deliver({ kind: "StreamData", stream, data }, gone),
      );
      if (!gone()) this.#deliver({ kind: "StreamEnded", stream }, gone);
    } catch (error) {
      if (!gone()) this.#deliver({ kind: "StreamFailed", stream, error: reason(error) }, gone);
    }
    if (this.#running.get(stream) === reading) this.#running.delete(stream);
  }

  get any(): boolean {
    return this.#running.size > 0;
  }

  /** Ends the reading of a stream; no event of it follows. */
  cancel(stream: string): void {
    this.#running.get(stream)?.stop();
    this.#running.delete(stream);
  }

  abort(): void {
    for (const stream of this.#running.keys()) this.cancel(stream);
  }
}

class Reading {
  stopped = false;
  #reader: ReadableStreamBYOBReader | undefined;

  /** Reads until the end, or until it is stopped. The next bytes are asked for when these have been delivered. */
  async run(source: ReadableStream<Uint8Array>, deliver: (data: Uint8Array) => void): Promise<void> {
    const reader = source.getReader({ mode: "byob" });
    this.#reader = reader;
    if (this.stopped) this.stop();
    for (let buffer = new Uint8Array(room); !this.stopped; ) {
      const { done, value } = await reader.read(buffer);
      if (done || this.stopped) return;
      deliver(value);
      buffer = new Uint8Array(value.buffer);
    }
  }

  stop(): void {
    this.stopped = true;
    // A stream that has broken off has nobody left to tell.
    this.#reader?.cancel().catch(() => {});
  }
}
