// One instance of the engine, QuickJS with a count of its work and of its stack. ../quickjs/memory.go is the same in Go:
// both make the same calls in the same order, because each of them takes units of work.

/** The limits that end a script, by the words of its result. */
export type Limit = "work" | "memory" | "stack" | "engine";

/** A pointer into the engine's memory, where 0 is none. */
export type Pointer = number;

interface Exports {
  memory: WebAssembly.Memory;
  /** The units of work that are left. Each function and each round of a loop takes one, and at zero the engine traps. */
  fuel: WebAssembly.Global;
  /** What is left of its stack by its own count. It is less than zero after a trap for lack of it. */
  stack: WebAssembly.Global;
  [name: string]: unknown;
}

const pageSize = 65536;
const success = 0;
const badFile = 8;

export class Engine {
  /** The first limit that was reached, if any. No call reaches the engine after that. */
  spent: Limit | undefined;
  /** The time of its clock, in milliseconds since 1970. */
  now = 0;
  readonly #exports: Exports;

  /** Makes an instance. In workerd this works inside a handler. */
  constructor(module: WebAssembly.Module) {
    const memory = () => this.#exports.memory.buffer;
    const instance = new WebAssembly.Instance(
      module,
      importsOf(module, memory, () => this.now),
    );
    this.#exports = instance.exports as unknown as Exports;
  }

  /** The size of its memory in bytes. It never shrinks. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Returns a copy of its memory. */
  image(): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer).slice();
  }

  /** Makes its memory that of another engine, which no call is running in. */
  become(image: Uint8Array): void {
    const { memory } = this.#exports;
    memory.grow((image.length - memory.buffer.byteLength) / pageSize);
    new Uint8Array(memory.buffer).set(image);
  }

  /** The units of work that are left. */
  get left(): number {
    return Number(this.#exports.fuel.value);
  }

  set left(units: number) {
    this.#exports.fuel.value = BigInt(units);
  }

  /** Calls an export, and returns 0 once a limit is spent. */
  call(name: string, ...args: number[]): number {
    if (this.spent) return 0;
    try {
      return (this.#exports[name] as (...args: number[]) => number | undefined)(...args) ?? 0;
    } catch (trap) {
      this.spend(this.#cause(trap));
      return 0;
    }
  }

  /** Calls an export that returns a pointer, which is 0 if the memory is spent. */
  pointer(name: string, ...args: number[]): Pointer {
    const pointer = this.call(name, ...args) >>> 0;
    if (pointer === 0) this.spend("memory");
    return pointer;
  }

  spend(limit: Limit): void {
    this.spent ??= limit;
  }

  /** Copies a text into the memory, with a zero behind it. */
  write(text: Uint8Array): Pointer {
    const at = this.pointer("wasm_malloc", text.length + 1);
    const room = this.#part(at, text.length + 1);
    room?.set(text);
    room?.fill(0, text.length);
    return room ? at : 0;
  }

  /** Writes a number of four bytes. */
  set(at: Pointer, value: number): void {
    const room = this.#part(at, 4);
    if (room) new DataView(room.buffer, at).setUint32(0, value, true);
  }

  /** Reads a number of four bytes. */
  get(at: Pointer): number {
    const room = this.#part(at, 4);
    return room ? new DataView(room.buffer, at).getUint32(0, true) : 0;
  }

  /** Reads a text. Bytes that are no UTF-8 are a failure of the engine. */
  read(at: Pointer, length: number): string {
    const bytes = this.#part(at, length);
    try {
      return bytes ? utf8.decode(bytes) : "";
    } catch {
      this.spend("engine");
      return "";
    }
  }

  /** Returns a part of the memory. A part that the memory does not have is a failure of the engine. */
  #part(at: Pointer, length: number): Uint8Array | undefined {
    if (this.spent) return undefined;
    const { buffer } = this.#exports.memory;
    if (at + length <= buffer.byteLength) return new Uint8Array(buffer, at, length);
    this.spend("engine");
    return undefined;
  }

  /** Returns the limit that a trap stands for. */
  #cause(trap: unknown): Limit {
    if (Number(this.#exports.stack.value) < 0) return "stack";
    if (this.left === 0) return "work";
    return trap instanceof RangeError ? "stack" : "engine"; // V8 throws one when its stack is exhausted
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Makes what the engine imports: a clock that stands still during a request, and zeros as randomness, which no script sees.
 * Files are refused. The other imports belong to features that are never switched on, and return zero.
 */
function importsOf(module: WebAssembly.Module, memory: () => ArrayBuffer, now: () => number): WebAssembly.Imports {
  const known: WebAssembly.ModuleImports = {
    clock_time_get: (_id: number, _precision: bigint, out: number) => {
      new DataView(memory()).setBigUint64(out, BigInt(now()) * 1_000_000n, true);
      return success;
    },
    random_get: (ptr: number, length: number) => {
      new Uint8Array(memory(), ptr, length).fill(0);
      return success;
    },
  };
  const imports: Record<string, WebAssembly.ModuleImports> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    const refused = from === "env" ? success : badFile;
    imports[from][name] = known[name] ?? (() => refused);
  }
  return imports;
}
