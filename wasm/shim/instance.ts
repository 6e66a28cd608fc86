// One instance of the module and its linear memory: bytes in, bytes out, and dead for ever after anything is thrown.

import type { Value } from "./abi.ts";
import { namespace, namespacePrefix } from "./abi.ts";
import { decodeStatement, encodeResult, VersionError } from "./codec.ts";
import type { World } from "./wasi.ts";
import { wasi } from "./wasi.ts";

/** Runs one statement on the storage of the object whose event is running. */
export type Sql = (statement: string, args: Value[]) => Value[][];

/** What an instance is given beside storage. */
export interface Ports extends World {
  /** Fills the bytes, for the objects. */
  random(bytes: Uint8Array): void;
  /** Takes a line of the guest's own diagnostics. */
  log(level: number, text: string): void;
  /** Is told of everything that passes the boundary, in tests. The bytes are valid during the call only. */
  trace?(call: string, ...bytes: Uint8Array[]): void;
}

/** What lives in an instance. */
export interface Resident {
  /** Hears that the instance has ended. It is told in the middle of somebody else's event, and may only take note. */
  lost(): void;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  alloc(size: number): number;
  open(object: number, ptr: number, length: number): number;
  step(object: number, ptr: number, length: number): number;
  close(object: number): void;
}

/** Refuses a module of another version of the ABI before any of it runs. */
export function checkVersion(module: WebAssembly.Module): void {
  const names = new Set(WebAssembly.Module.imports(module).map((entry) => entry.module));
  if (names.has(namespace)) return;
  const other = [...names].find((name) => name.startsWith(namespacePrefix));
  if (other) throw new VersionError(other.slice(namespacePrefix.length));
  throw new Error("abi: this is no module of Tributary");
}

/** Says that a call has ended the instance: a panic, an exit, a fatal error. Its message is what the module said last. */
export class Trap extends Error {
  override name = "Trap";

  /** What it means to the object whose event it was. */
  get loss(): Loss {
    return this.message.includes("out of memory") ? "memory" : "trap";
  }
}

/** Why an object is opened: nobody's fault, an event of its own that trapped, or one that found no memory. */
export type Loss = "" | "trap" | "memory";

/** How much of what a dying module says is kept: the cause comes first. */
const lastWords = 4096;

export class Instance {
  /**
   * Whether nothing may be asked of it any more. Where a call has thrown, Go's memory is in no known state, though it would
   * still answer, with nonsense.
   */
  dead = false;
  /** Who is to be told then. */
  readonly residents = new Set<Resident>();
  readonly #exports: Exports;
  readonly #ports: Ports;
  #sql: Sql | undefined;
  #kept: Uint8Array = new Uint8Array();
  #said = "";

  /** Makes and starts an instance. In workerd this works inside a handler only: there is no randomness outside. */
  constructor(module: WebAssembly.Module, ports: Ports) {
    checkVersion(module);
    this.#ports = ports;
    let exports: Exports | undefined;
    const memory = () => (exports as Exports).memory.buffer;
    const bytes = (ptr: number, length: number) => new Uint8Array(memory(), ptr >>> 0, length >>> 0);
    const imports = {
      sql: (ptr: number, length: number, room: number, capacity: number) => {
        const result = length === 0 ? this.#kept : this.#run(bytes(ptr, length));
        if (length > 0) ports.trace?.("sql", bytes(ptr, length), result);
        if (result.length <= capacity >>> 0) bytes(room, result.length).set(result);
        else this.#kept = result.slice();
        return result.length;
      },
      random: (ptr: number, length: number) => {
        ports.random(bytes(ptr, length));
        ports.trace?.("random", bytes(ptr, length));
      },
      log: (level: number, ptr: number, length: number) => {
        ports.trace?.("log", Uint8Array.of(level), bytes(ptr, length));
        ports.log(level, new TextDecoder().decode(bytes(ptr, length)));
      },
    };
    const instance = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: wasi(memory, { ...ports, write: (text) => this.#hear(text) }),
      [namespace]: imports,
    });
    exports = instance.exports as unknown as Exports;
    this.#exports = exports;
    this.#guard(() => this.#exports._initialize());
  }

  /** How large the linear memory is. It never shrinks. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Makes the in-memory part of an object: the bytes are an Opened. The reply's bytes are the caller's. */
  open(object: number, occurrence: Uint8Array, sql: Sql): Uint8Array {
    return this.#call("open", object, occurrence, sql);
  }

  /** Lets one event happen to an object. */
  step(object: number, occurrence: Uint8Array, sql: Sql): Uint8Array {
    return this.#call("step", object, occurrence, sql);
  }

  /** Drops the in-memory part of an object. */
  close(object: number): void {
    if (!this.dead) this.#guard(() => this.#exports.close(object));
  }

  /** Lets nothing more happen here, and tells those that live here. */
  end(): void {
    this.dead = true;
    for (const resident of this.residents) resident.lost();
  }

  #call(verb: "open" | "step", object: number, occurrence: Uint8Array, sql: Sql): Uint8Array {
    const ptr = this.#guard(() => this.#exports.alloc(occurrence.length)) >>> 0;
    if (ptr === 0) throw new RangeError(`the module takes no event of ${occurrence.length} bytes`);
    return this.#guard(() => {
      this.#sql = sql;
      new Uint8Array(this.#exports.memory.buffer, ptr, occurrence.length).set(occurrence);
      const reply = this.#exports[verb](object, ptr, occurrence.length) >>> 0;
      const memory = this.#exports.memory.buffer;
      const length = new DataView(memory).getUint32(reply, true);
      const bytes = new Uint8Array(memory, reply + 4, length).slice();
      this.#ports.trace?.(verb, occurrence, bytes);
      return bytes;
    });
  }

  #run(bytes: Uint8Array): Uint8Array {
    const { sql, args } = decodeStatement(bytes);
    try {
      if (!this.#sql) throw new Error("no event is running");
      return encodeResult("", this.#sql(sql, args));
    } catch (error) {
      return encodeResult(error instanceof Error ? error.message : String(error), []);
    }
  }

  #hear(text: string): void {
    if (this.#said.length < lastWords) this.#said += text;
  }

  #guard<T>(call: () => T): T {
    if (this.dead) throw new Error("this instance is dead");
    this.#said = "";
    try {
      const result = call();
      if (this.#said) this.#ports.write(this.#said);
      return result;
    } catch (error) {
      this.end();
      throw new Trap(this.#said.trim() || String(error), { cause: error });
    } finally {
      this.#sql = undefined;
    }
  }
}
