// One script in an engine of its own. ../quickjs/README.md lists the calls of the engine that a request consists of, and
// ../quickjs/box.go makes the same ones.
import { Engine, type Pointer } from "./engine.ts";
import { mostReport, mostValue, Reports } from "./report.ts";
import { type Answer, type Open, type Result, state } from "./scriptcodec.ts";
import type { Starts } from "./start.ts";

/** All of the engine's parts but the clock performance and weak references, which are the bits 10 and 9. */
const intrinsics = (1 << 13) - 1 - (1 << 10) - (1 << 9);

const encoder = /* @__PURE__ */ new TextEncoder();

/** The functions of the prelude, in the order in which they are taken. */
type Verb = "begin" | "answer" | "take" | "value" | "fail";
const verbs: Verb[] = ["begin", "answer", "take", "value", "fail"];

/** A result without anything but its state and words. */
export function ended(how: number, words: string, work = 0, bytes = 0): Result {
  return { state: how, calls: [], lines: [], value: "", words, work, bytes };
}

export class Box {
  readonly #engine: Engine;
  /** The units that the request may take. */
  #work = 0;
  /** The prelude's value, and the functions that it has. */
  #prelude: Pointer = 0;
  #verbs: ReadonlyMap<string, Pointer> = new Map();
  readonly #starts: Starts;
  readonly #reports = new Reports();

  /** Makes a box without a script. It throws where there is no memory for one. */
  constructor(engine: WebAssembly.Module, starts: Starts) {
    this.#engine = new Engine(engine);
    this.#starts = starts;
  }

  /** The size of the engine's memory in bytes. */
  get size(): number {
    return this.#engine.size;
  }

  /** Begins a script, once in the life of a box. */
  open(request: Open): Result {
    const { now, work, code, seed } = request;
    this.#request(0, work);
    this.#start(request);
    this.#engine.now = now;
    const digits = Array.from(seed, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#verb("begin", this.#text(encoder.encode(digits)));
    this.#evaluate(code);
    return this.#run();
  }

  /** Answers a call of the script. */
  answer({ now, work, call, ok, json }: Answer): Result {
    this.#request(now, work);
    const number = this.#engine.pointer("qjs_new_number", call);
    const succeeded = this.#engine.pointer(ok ? "qjs_get_true" : "qjs_get_false");
    this.#verb("answer", number, succeeded, this.#text(json));
    return this.#run();
  }

  /** Sets the clock and the countdown. */
  #request(now: number, work: number): void {
    this.#work = Math.max(work, 0);
    this.#engine.now = now;
    this.#engine.left = this.#work;
  }

  /** Starts the engine, or copies one behind its start. */
  #start(request: Open): void {
    const engine = this.#engine;
    const start = this.#starts.find(request);
    if (start && start.work <= this.#work) {
      engine.become(start.image);
      engine.left = this.#work - start.work;
      this.#prelude = start.prelude;
      this.#verbs = start.verbs;
      return;
    }
    this.#initialize(request);
    if (engine.spent) return;
    const work = this.#work - engine.left;
    this.#starts.keep(request, { image: engine.image(), work, prelude: this.#prelude, verbs: this.#verbs });
  }

  /** Starts the engine and evaluates the prelude, at a time that is always the same. */
  #initialize({ memory, stack, prelude }: Open): void {
    const engine = this.#engine;
    engine.call("_initialize");
    if (engine.call("qjs_init2", intrinsics) !== 0) engine.spend("engine");
    engine.call("qjs_set_memory_limit", memory);
    engine.call("qjs_set_max_stack_size", stack);
    this.#prelude = this.#eval(prelude, "prelude");
    if (engine.call("qjs_is_exception", this.#prelude) !== 0) engine.spend("engine");
    const found = new Map<string, Pointer>();
    for (const name of verbs) {
      const key = engine.write(encoder.encode(name));
      found.set(name, engine.pointer("qjs_get_prop_string", this.#prelude, key));
      engine.call("wasm_free", key);
    }
    this.#verbs = found;
  }

  /** Evaluates the code, and gives the prelude an exception. */
  #evaluate(code: Uint8Array): void {
    const result = this.#eval(code, "code");
    const thrown = this.#engine.call("qjs_is_exception", result) !== 0;
    this.#engine.call("qjs_free_value", result);
    if (thrown) this.#fail();
  }

  #fail(): void {
    this.#verb("fail", this.#engine.pointer("qjs_get_exception"));
  }

  /** Runs the engine's jobs until none is left, and returns the prelude's report. */
  #run(): Result {
    const engine = this.#engine;
    while (engine.call("qjs_is_job_pending") !== 0) {
      if (engine.call("qjs_execute_pending_job") < 0) this.#fail();
    }
    const report = this.#reports.read(this.#take("take", mostReport));
    if (!report) engine.spend("engine");
    const value = report?.state === state.done ? this.#take("value", mostValue) : "";
    const work = this.#work - engine.left;
    if (engine.spent || !report) return ended(state.spent, engine.spent ?? "engine", work, engine.size);
    return { ...report, value, work, bytes: engine.size };
  }

  /** Evaluates a text as a script, and returns a value. */
  #eval(text: Uint8Array, name: string): Pointer {
    const engine = this.#engine;
    const code = engine.write(text);
    const file = engine.write(encoder.encode(name));
    const result = engine.pointer("qjs_eval", code, text.length, file, 0);
    engine.call("wasm_free", code);
    engine.call("wasm_free", file);
    return result;
  }

  /** Calls a function of the prelude. It frees the arguments and the result. */
  #verb(name: Verb, ...args: Pointer[]): void {
    this.#engine.call("qjs_free_value", this.#invoke(name, ...args));
  }

  /**
   * Calls a function of the prelude that returns a text of at most so many bytes. Nothing of a longer one is copied, nor of
   * what is no text.
   */
  #take(name: Verb, most: number): string {
    const engine = this.#engine;
    const value = this.#invoke(name);
    if (engine.call("qjs_is_string", value) === 0) engine.spend("engine");
    const size = engine.pointer("wasm_malloc", 4);
    const start = engine.pointer("qjs_get_string_len", value, size);
    const length = engine.get(size);
    if (length > most) engine.spend("engine");
    const text = engine.read(start, length);
    engine.call("qjs_free_cstring", start);
    engine.call("wasm_free", size);
    engine.call("qjs_free_value", value);
    return text;
  }

  /** Calls a function of the prelude and frees the arguments. It throws only where the memory is too small for it. */
  #invoke(name: Verb, ...args: Pointer[]): Pointer {
    const engine = this.#engine;
    const list = args.length > 0 ? engine.pointer("wasm_malloc", 4 * args.length) : 0;
    for (const [i, arg] of args.entries()) engine.set(list + 4 * i, arg);
    const result = engine.pointer("qjs_call", this.#verbs.get(name) ?? 0, this.#prelude, args.length, list);
    if (args.length > 0) engine.call("wasm_free", list);
    for (const arg of args) engine.call("qjs_free_value", arg);
    if (engine.call("qjs_is_exception", result) !== 0) engine.spend("memory");
    return result;
  }

  /** Returns a value that is a text. */
  #text(text: Uint8Array): Pointer {
    const engine = this.#engine;
    const at = engine.write(text);
    const value = engine.pointer("qjs_new_string", at, text.length);
    engine.call("wasm_free", at);
    if (engine.call("qjs_is_exception", value) !== 0) engine.spend("memory");
    return value;
  }
}
