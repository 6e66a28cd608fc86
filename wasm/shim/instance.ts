// One instance of the module with its linear memory: bytes in, bytes out. It is dead for ever after anything is thrown.

import type { Statement, Value } from "./abi.ts";
import { maxStatements, namespace, namespacePrefix } from "./abi.ts";
import { decodeStatement, encodeResult, VersionError } from "./codec.ts";
import type { World } from "./wasi.ts";
import { wasi } from "./wasi.ts";

/** Runs one statement on the storage of the object whose event is running. */
export type Sql = (statement: string, args: Value[]) => Value[][];

/** Runs the scripts of one instance: the host's side of the import script. */
export interface ScriptHost {
  /** Answers a request. The result is valid until the next request. */
  run(request: Uint8Array): Uint8Array;
  /** Drops all boxes. */
  close(): void;
}

/** What an instance needs besides storage. */
export interface Ports extends World {
  /** Fills the bytes with randomness for the objects. */
  random(bytes: Uint8Array): void;
  /** Logs a line of the guest's diagnostics. */
  log(level: number, text: string): void;
  /** Makes what runs the scripts of an instance, in a Worker that has the engine for them. */
  scripts?(): ScriptHost;
  /** Sees every call over the boundary, in tests. The bytes are valid during the call only. */
  trace?(call: string, ...bytes: Uint8Array[]): void;
}

/** Observes an instance in which an object is open. */
export interface InstanceObserver {
  /** Called when the instance has ended. It is called during another object's event, and may only take note. */
  instanceEnded(): void;
}

interface Exports {
  memory: WebAssembly.Memory;
  /** Starts a module that has not started when it was built. */
  _initialize?(): void;
  alloc(size: number): number;
  open(object: number, ptr: number, length: number): number;
  step(object: number, ptr: number, length: number): number;
  close(object: number): void;
}

/** Refuses a module of another version of the ABI before it runs, and one whose scripts nothing would run. */
function checkImports(module: WebAssembly.Module, ports: Ports): void {
  const imports = WebAssembly.Module.imports(module);
  const ours = imports.filter((entry) => entry.module === namespace);
  if (ours.some(({ name }) => name === "script") && !ports.scripts)
    throw new Error("abi: the module runs scripts, and this Worker has no engine for them: build it anew");
  if (ours.length > 0) return;
  const other = imports.find((entry) => entry.module.startsWith(namespacePrefix))?.module;
  if (other) throw new VersionError(other.slice(namespacePrefix.length));
  throw new Error("abi: this is no module of Tributary");
}

/**
 * Says that a call has ended the instance: a panic, an exit, a fatal error. Its message is the module's last output.
 */
export class Trap extends Error {
  override name = "Trap";

  /** The reason that the object is given when it is opened again. */
  get loss(): Loss {
    return this.message.includes("out of memory") ? "memory" : "trap";
  }
}

/**
 * How an object lost its last in-memory part: not by an event of its own, by one that trapped, or by one that ran out
 * of memory. "between" is by another object's event, between an announcement and the event that was announced.
 */
export type Loss = "" | "trap" | "memory" | "between";

const none = new Uint8Array();
const noCosts = (): Value[][] => [];

/** How many characters of a dying module's output are kept. The cause comes first. */
const maxOutput = 4096;

export class Instance {
  /**
   * Whether the instance may not be called any more. After a call has thrown, Go's memory is in an unknown state, and further
   * calls would return nonsense.
   */
  dead = false;
  /** Those that are called when it ends. */
  readonly observers = new Set<InstanceObserver>();
  readonly #exports: Exports;
  readonly #ports: Ports;
  #sql: Sql | undefined;
  #costs: () => Value[][] = noCosts;
  /** What runs the scripts, once there was one. */
  #scripts: ScriptHost | undefined;
  /** The result that did not fit into the guest's buffer, until the guest fetches it. */
  #kept: Uint8Array = none;
  /** The texts of the statements that are numbered, from 1. */
  readonly #texts: string[] = [];
  #output = "";

  /** Makes and starts an instance. In workerd this works inside a handler, and outside by prepare.ts alone. */
  constructor(module: WebAssembly.Module, ports: Ports) {
    checkImports(module, ports);
    this.#ports = ports;
    let exports: Exports | undefined;
    const memory = () => (exports as Exports).memory.buffer;
    const bytes = (ptr: number, length: number) => new Uint8Array(memory(), ptr >>> 0, length >>> 0);
    const give = (result: Uint8Array, buffer: number, capacity: number) => {
      const fits = result.length <= capacity >>> 0;
      if (fits) bytes(buffer, result.length).set(result);
      this.#kept = fits ? none : result.slice();
      return result.length;
    };
    /** Makes an import that takes a request and gives a result, or the kept one to a call without a request. */
    const answering =
      (call: string, run: (request: Uint8Array) => Uint8Array) =>
      (ptr: number, length: number, buffer: number, capacity: number) => {
        const result = length === 0 ? this.#kept : run(bytes(ptr, length));
        if (length > 0) ports.trace?.(call, bytes(ptr, length), result);
        return give(result, buffer, capacity);
      };
    const imports = {
      sql: answering("sql", (statement) => this.#run(statement)),
      script: answering("script", (request) => this.#script(request)),
      cost: (buffer: number, capacity: number) => {
        const result = encodeResult("", this.#costs());
        ports.trace?.("cost", result);
        return give(result, buffer, capacity);
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
      wasi_snapshot_preview1: wasi(memory, { ...ports, write: (text) => this.#keepOutput(text) }),
      [namespace]: imports,
    });
    exports = instance.exports as unknown as Exports;
    this.#exports = exports;
    this.#guard(() => this.#exports._initialize?.());
  }

  /** The size of the linear memory in bytes. It never shrinks. */
  get size(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Makes the in-memory part of an object. The occurrence is an Opened. The caller owns the reply's bytes. */
  open(object: number, occurrence: Uint8Array, sql: Sql, costs = noCosts): Uint8Array {
    return this.#call("open", object, occurrence, sql, costs);
  }

  /** Delivers one event to an object. */
  step(object: number, occurrence: Uint8Array, sql: Sql, costs = noCosts): Uint8Array {
    return this.#call("step", object, occurrence, sql, costs);
  }

  /** Drops the in-memory part of an object. */
  close(object: number): void {
    if (!this.dead) this.#guard(() => this.#exports.close(object));
  }

  /** Ends the instance with its scripts, and calls those that observe it. */
  end(): void {
    this.dead = true;
    this.#scripts?.close();
    for (const observer of this.observers) observer.instanceEnded();
  }

  #call(verb: "open" | "step", object: number, occurrence: Uint8Array, sql: Sql, costs: () => Value[][]): Uint8Array {
    const ptr = this.#guard(() => this.#exports.alloc(occurrence.length)) >>> 0;
    if (ptr === 0) throw new RangeError(`the module takes no event of ${occurrence.length} bytes`);
    return this.#guard(() => {
      this.#sql = sql;
      this.#costs = costs;
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
    const statement = decodeStatement(bytes);
    const text = this.#text(statement);
    try {
      if (!this.#sql) throw new Error("no event is running");
      return encodeResult("", this.#sql(text, statement.args));
    } catch (error) {
      return encodeResult(error instanceof Error ? error.message : String(error), []);
    }
  }

  #script(request: Uint8Array): Uint8Array {
    this.#scripts ??= this.#ports.scripts?.();
    if (!this.#scripts) throw new Error("there is no engine");
    return this.#scripts.run(request);
  }

  /** Returns the text of a statement, and keeps it if it comes with a number. */
  #text({ sql, number }: Statement): string {
    if (number === 0) return sql;
    const known = this.#texts[number - 1];
    if (sql === "" && known !== undefined) return known;
    const last = this.#texts.length;
    if (sql === "" || number !== last + 1 || number > maxStatements)
      throw new RangeError(`abi: statement ${number} after ${last}`);
    this.#texts.push(sql);
    return sql;
  }

  #keepOutput(text: string): void {
    this.#output += text.slice(0, maxOutput - this.#output.length);
  }

  #guard<T>(call: () => T): T {
    if (this.dead) throw new Error("this instance is dead");
    this.#output = "";
    try {
      const result = call();
      if (this.#output) this.#ports.write(this.#output);
      return result;
    } catch (error) {
      this.end();
      throw new Trap(this.#output.trim() || String(error), { cause: error });
    } finally {
      this.#sql = undefined;
      this.#costs = noCosts;
    }
  }
}
