// The streams that an object writes, and other objects or clients read.
import type { Deliver } from "./deliver.ts";
import { concat } from "./request.ts";

export class StreamWriters {
  readonly #deliver: Deliver;
  readonly #open = new Map<string, StreamWriter>();

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /** Opens a stream that the object can emit into. `count` is told the length of all that is emitted. */
  open(stream: string, count: (length: number) => void = () => {}): ReadableStream<Uint8Array> {
    const gone = () => this.#open.get(stream) !== writer;
    const writer = new StreamWriter({
      count,
      drained: () => {
        if (!gone()) this.#deliver({ kind: "StreamDrained", stream }, gone);
      },
      cancelled: () => {
        if (this.#open.delete(stream)) this.#deliver({ kind: "StreamCancelled", stream });
      },
    });
    this.#open.set(stream, writer);
    return writer.body;
  }

  emit(stream: string, data: Uint8Array | null): void {
    if (data?.length) this.#open.get(stream)?.emit(data);
  }

  /** Ends a stream after all emitted data. No event of it follows. */
  end(stream: string): void {
    this.#open.get(stream)?.end();
    this.#open.delete(stream);
  }

  /** Fails a stream. */
  fail(stream: string, error: string): void {
    this.#open.get(stream)?.fail(error);
    this.#open.delete(stream);
  }

  get busy(): boolean {
    return this.#open.size > 0;
  }

  abort(except: string): void {
    for (const stream of this.#open.keys())
      if (stream !== except) this.fail(stream, "the object did not live to go on");
  }
}

/** Callbacks for what the reader of a stream does, and for what it is sent. */
interface ReaderCallbacks {
  count(length: number): void;
  drained(): void;
  cancelled(): void;
}

/**
 * A queue that the platform pulls from. It pulls all waiting chunks as one batch, because each pull costs a round through the
 * event loop. The platform holds one batch that the reader has not taken yet; the queue holds the chunks emitted since.
 */
class StreamWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #reader: ReaderCallbacks;
  #queue: Uint8Array[] = [];
  #controller: ReadableByteStreamController | undefined;
  #wake: (() => void) | undefined;
  #undrained = false;
  #ended = false;

  constructor(reader: ReaderCallbacks) {
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
    this.#reader.count(data.length);
    this.#undrained = true;
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
    if (this.#undrained && this.#queue.length === 0) {
      this.#undrained = false;
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
