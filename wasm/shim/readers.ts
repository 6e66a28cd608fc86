// The streams that an object reads from its facets.
import type { Command, Of } from "./abi.ts";
import { type Deliver, reason } from "./deliver.ts";
import { copyOf, type FacetLookup } from "./facets.ts";

/** The largest number of bytes in one StreamData. All bytes that are available at once come in one. */
const maxChunk = 64 << 10;

export class StreamReaders {
  readonly #lookup: FacetLookup;
  readonly #deliver: Deliver;
  readonly #running = new Map<string, StreamReader>();

  constructor(lookup: FacetLookup, deliver: Deliver) {
    this.#lookup = lookup;
    this.#deliver = deliver;
  }

  /** Resolves when the stream has ended. */
  async start({ stream, from, data }: Of<Command, "OpenStream">): Promise<void> {
    this.cancel(stream);
    const reader = new StreamReader();
    this.#running.set(stream, reader);
    const gone = () => reader.stopped;
    const facet = this.#lookup(from);
    await undefined; // The commands after this one are performed before any event of it.
    try {
      if (gone()) return;
      await reader.run(await facet().open(copyOf(data)), (data) =>
        this.#deliver({ kind: "StreamData", stream, data }, gone),
      );
      if (!gone()) await this.#deliver({ kind: "StreamEnded", stream }, gone);
    } catch (error) {
      if (!gone()) await this.#deliver({ kind: "StreamFailed", stream, error: reason(error) }, gone);
    }
    if (this.#running.get(stream) === reader) this.#running.delete(stream);
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Stops reading a stream. No event of it follows. */
  cancel(stream: string): void {
    this.#running.get(stream)?.stop();
    this.#running.delete(stream);
  }

  abort(): void {
    for (const stream of this.#running.keys()) this.cancel(stream);
  }
}

/**
 * Resolves when the platform has written the frames that were just sent. It writes them one by one between events. Without
 * this pause the next bytes would be delivered first, and the frames would wait for the end of that event.
 */
const written = () => new Promise((resolve) => setTimeout(resolve));

class StreamReader {
  stopped = false;
  #reader: ReadableStreamBYOBReader | undefined;

  /** Reads until the end, or until it is stopped. It asks for more bytes only after the last ones were delivered. */
  async run(source: ReadableStream<Uint8Array>, deliver: (data: Uint8Array) => ReturnType<Deliver>): Promise<void> {
    const reader = source.getReader({ mode: "byob" });
    this.#reader = reader;
    if (this.stopped) this.stop();
    for (let buffer = new Uint8Array(maxChunk); !this.stopped; ) {
      const { done, value } = await reader.read(buffer);
      if (done || this.stopped) return;
      await deliver(value); // its bytes are those of the buffer
      await written();
      buffer = new Uint8Array(value.buffer);
    }
  }

  stop(): void {
    this.stopped = true;
    // The stream has already failed, so nothing is left to cancel.
    this.#reader?.cancel().catch(() => {});
  }
}
