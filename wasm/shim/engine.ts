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

const success = 0;
const badFile = 8;

export class Engine {
  /** The first limit that was reached, if any. No call reaches the engine after that. */
  spent: Limit | undefined;
  /** The time of its clock, in milliseconds since 1970. */
  now = 0;
  readonly #exports: Exports;

  /** Makes an instance. In workerd this works inside a handler. The seed is all the randomness that the engine has. */
  constructor(module: WebAssembly.Module, seed: Uint8Array) {
    const memory = () => this.#exports.memory.buffer;
    const instance = new WebAssembly.Instance(
      module,
      importsOf(module, memory, () => this.now, seed.slice()),
    );
    this.#exports = instance.exports as unknown as Exports;
  }

  /** The size of its memory in bytes. It never shrinks. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
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
    if (this.spent) return 0;
    const memory = new Uint8Array(this.#exports.memory.buffer, at, text.length + 1);
    memory.set(text);
    memory[text.length] = 0;
    return at;
  }

  /** Writes a number of four bytes. */
  set(at: Pointer, value: number): void {
    if (!this.spent) new DataView(this.#exports.memory.buffer).setUint32(at, value, true);
  }

  /** Reads a number of four bytes. */
  get(at: Pointer): number {
    return this.spent ? 0 : new DataView(this.#exports.memory.buffer).getUint32(at, true);
  }

  /** Reads a text. */
  read(at: Pointer, length: number): string {
    return this.spent ? "" : utf8.decode(new Uint8Array(this.#exports.memory.buffer, at, length));
  }

  /** Returns the limit that a trap stands for. */
  #cause(trap: unknown): Limit {
    if (Number(this.#exports.stack.value) < 0) return "stack";
    if (this.left === 0) return "work";
    return trap instanceof RangeError ? "stack" : "engine"; // V8 throws one when its stack is exhausted
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Makes what the engine imports: a clock that stands still during a request, and the seed as randomness. Files are refused.
 * The other imports belong to features that are never switched on, and return zero.
 */
function importsOf(
  module: WebAssembly.Module,
  memory: () => ArrayBuffer,
  now: () => number,
  seed: Uint8Array,
): WebAssembly.Imports {
  const known: WebAssembly.ModuleImports = {
    clock_time_get: (_id: number, _precision: bigint, out: number) => {
      new DataView(memory()).setBigUint64(out, BigInt(now()) * 1_000_000n, true);
      return success;
    },
    random_get: (ptr: number, length: number) => {
      const bytes = new Uint8Array(memory(), ptr, length);
      for (const i of bytes.keys()) bytes[i] = seed[i % seed.length] as number;
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
