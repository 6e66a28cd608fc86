// The engine of scripts alone, as it is published and as it is metered: node's V8 is workerd's.
import { readFile } from "node:fs/promises";

interface Exports {
  memory: WebAssembly.Memory;
  fuel?: WebAssembly.Global;
  _initialize(): void;
  qjs_init(): number;
  qjs_eval(code: number, length: number, name: number, flags: number): number;
  qjs_is_exception(value: number): number;
  qjs_is_job_pending(): number;
  qjs_execute_pending_job(): number;
  wasm_malloc(size: number): number;
}

/** Units of work for one program, more than any of them needs. */
const fuel = 10n ** 12n;

/** Compiles the engine in a file. The types are those of Workers, which cannot compile. */
export const compile = async (path: string): Promise<WebAssembly.Module> =>
  Reflect.construct(WebAssembly.Module, [await readFile(path)]) as WebAssembly.Module;

/** An instance of the engine. It has no clock and no files. */
export class Engine {
  readonly #exports: Exports;

  constructor(module: WebAssembly.Module) {
    const imports: Record<string, Record<string, () => number>> = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] = () => 0;
    }
    this.#exports = new WebAssembly.Instance(module, imports).exports as unknown as Exports;
    this.#refuel();
    this.#exports._initialize();
    if (this.#exports.qjs_init() !== 0) throw new Error("the engine does not start");
  }

  /** Runs a program to its end, with what it leaves for later. Returns how long that took, in ms. */
  run(program: string): number {
    const { qjs_eval, qjs_is_exception, qjs_is_job_pending, qjs_execute_pending_job } = this.#exports;
    const [code, length] = this.#text(program);
    const [name] = this.#text("program");
    this.#refuel();
    const begin = performance.now();
    const value = qjs_eval(code, length, name, 0);
    while (qjs_is_job_pending() !== 0) qjs_execute_pending_job();
    const took = performance.now() - begin;
    if (qjs_is_exception(value) !== 0) throw new Error(`the program has thrown: ${program}`);
    return took;
  }

  #refuel(): void {
    if (this.#exports.fuel) this.#exports.fuel.value = fuel;
  }

  /** Puts a text with a zero behind it into the memory. Returns its place and its length. */
  #text(text: string): [place: number, length: number] {
    const bytes = new TextEncoder().encode(`${text}\0`);
    const place = this.#exports.wasm_malloc(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, place);
    return [place, bytes.length - 1];
  }
}
