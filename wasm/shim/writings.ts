// The streams that other objects read of an object.
import type { Deliver } from "./perform.ts";
import { concat } from "./request.ts";

export class Writings {
  readonly #deliver: Deliver;
  readonly #open = new Map<string, Writing>();

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /** Makes a stream that the object can emit into. */
  open(stream: string): ReadableStream<Uint8Array> {
    const gone = () => this.#open.get(stream) !== writing;
    const writing = new Writing({
      drained: () => {
        if (!gone()) this.#deliver({ kind: "StreamDrained", stream }, gone);
      },
      cancelled: () => {
        if (this.#open.delete(stream)) this.#deliver({ kind: "StreamCancelled", stream });
      },
    });
    this.#open.set(stream, writing);
    return writing.body;
  }

  emit(stream: string, data: Uint8Array | null): void {
    if (data?.length) this.#open.get(stream)?.emit(data);
  }

  /** Ends a stream behind everything that was emitted. The object is told nothing more of it. */
  end(stream: string): void {
    this.#open.get(stream)?.end();
    this.#open.delete(stream);
  }

  /** Breaks a stream off. */
  fail(stream: string, error: string): void {
    this.#open.get(stream)?.fail(error);
    this.#open.delete(stream);
  }

  get any(): boolean {
    return this.#open.size > 0;
  }

  abort(except: string): void {
    for (const stream of this.#open.keys())
      if (stream !== except) this.fail(stream, "the object did not live to go on");
  }
}

/** What a stream tells of its reader. */
interface Reader {
  drained(): void;
  cancelled(): void;
}

/**
 * A queue that the platform pulls from, all that waits at once: a chunk by itself costs a round through the event loop.
 * The platform holds one batch, which its reader has not taken yet, and the queue holds what was emitted since.
 */
class Writing {
  readonly body: ReadableStream<Uint8Array>;
  readonly #reader: Reader;
  #queue: Uint8Array[] = [];
  #controller: ReadableByteStreamController | undefined;
  #wake: (() => void) | undefined;
  #owed = false;
  #ended = false;

  constructor(reader: Reader) {
    this.#reader = reader;
    const source: UnderlyingByteSource = {
      type: "bytes",
      start: (controller) => {
        this.#controller = controller;
      },
      pull: (controller) => this.#pull(controller),
      cancel: () => reader.cancelled(),
    };
    this.body = new ReadableStream(source, { highWaterMark: 0 });
  }

  emit(data: Uint8Array): void {
    this.#queue.push(data);
    this.#owed = true;
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  fail(error: string): void {
    this.#controller?.error(new Error(error));
  }

  async #pull(controller: ReadableByteStreamController): Promise<void> {
    if (this.#owed && this.#queue.length === 0) {
      this.#owed = false;
      this.#reader.drained();
    }
    while (this.#queue.length === 0 && !this.#ended) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#queue.length > 0) {
      controller.enqueue(concat(this.#queue.splice(0)));
      return;
    }
    controller.close();
    controller.byobRequest?.respond(0);
  }
}
