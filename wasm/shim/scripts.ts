// The host of the port for scripts in a Worker: ../../durable/script. ../quickjs is the same host in Go.
import { Box, ended } from "./box.ts";
import { Encoder } from "./encoder.ts";
import type { ScriptHost } from "./instance.ts";
import { provideScripts } from "./platform.ts";
import {
  type Answer,
  decodeRequest,
  encodeResult,
  type Open,
  type Request,
  type Result,
  state,
} from "./scriptcodec.ts";
import { Shelf } from "./shelf.ts";
import { Starts } from "./start.ts";

let hosts = 0;

/** Runs the scripts of one instance of a module, whose numbers of boxes are its own. */
export class Scripts implements ScriptHost {
  readonly #engine: WebAssembly.Module;
  readonly #shelf: Shelf<Box>;
  readonly #starts: Starts;
  readonly #id = ++hosts;
  /** The numbers of the boxes that were kept, of which the shelf may have dropped some. */
  readonly #numbers = new Set<number>();
  readonly #encoder = new Encoder();

  constructor(engine: WebAssembly.Module, shelf = new Shelf<Box>(), starts = new Starts()) {
    this.#engine = engine;
    this.#shelf = shelf;
    this.#starts = starts;
  }

  /**
   * Runs a request. Malformed bytes are a mistake of the module, and throw. Whatever fails behind that ends the box: the
   * isolate may have no memory for another instance, or for what the box has reported.
   */
  run(request: Uint8Array): Uint8Array {
    const decoded = decodeRequest(request);
    try {
      return encodeResult(this.#encoder, this.#run(decoded));
    } catch {
      this.#take(decoded.box);
      return encodeResult(this.#encoder, ended(state.spent, "engine"));
    }
  }

  close(): void {
    for (const number of this.#numbers) this.#take(number);
  }

  #run(request: Request): Result {
    const box = this.#take(request.box);
    if (request.kind === "close") return ended(state.gone, "");
    this.#shelf.expire(request.now);
    if (request.kind === "open") return this.#open(request);
    return box ? this.#answer(box, request) : ended(state.gone, "");
  }

  #open(request: Open): Result {
    const box = new Box(this.#engine, this.#starts);
    return this.#kept(box, request, box.open(request));
  }

  #answer(box: Box, request: Answer): Result {
    return this.#kept(box, request, box.answer(request));
  }

  /** Keeps a box if its script waits. One that has ended is dropped. */
  #kept(box: Box, { box: number, now }: Open | Answer, result: Result): Result {
    if (result.state !== state.waits) return result;
    this.#numbers.add(number);
    this.#shelf.put(this.#name(number), box, now);
    return result;
  }

  #take(number: number): Box | undefined {
    this.#numbers.delete(number);
    return this.#shelf.take(this.#name(number));
  }

  #name(number: number): string {
    return `${this.#id} ${number}`;
  }
}

/** Has the scripts of a module run in the engine. It is called before there is an instance of the module. */
export function provideEngine(module: WebAssembly.Module, engine: WebAssembly.Module): void {
  const shelf = new Shelf<Box>();
  const starts = new Starts();
  provideScripts(module, () => new Scripts(engine, shelf, starts));
}
