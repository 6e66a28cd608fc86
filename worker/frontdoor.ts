// The bridge to the Go program of this folder. It starts an instance, asks it about requests, and replaces it after a failure.
import type { Question } from "./question.ts";

/** The part of Go's wasm_exec.js that is used here. */
interface GoProgram {
  env: Record<string, string>;
  exit: (code: number) => void;
  exited: boolean;
  importObject: { gojs: Record<string, (sp: number) => void> };
  mem: DataView;
  run(instance: WebAssembly.Instance): Promise<void>;
  _resolveExitPromise: () => void;
}

interface Instance {
  program: GoProgram;
  handle: (question: Question) => Promise<Response>;
}

const global = globalThis as unknown as { Go: new () => GoProgram; context: unknown };

/**
 * Runs Go's main until it waits for requests, outside of handlers or in one. Outside, the platform has no randomness, and
 * its clock stands at zero, which Go's runtime takes for broken. So while the runtime starts, its clock is a counter, and
 * where there is no randomness the seeds of its hash tables come from Math.random, which can be guessed. Afterwards the time
 * and all randomness are the platform's.
 */
function start(module: WebAssembly.Module, variables: Record<string, string>): Instance {
  const program = new global.Go();
  // Go's environment holds 8 kB. The one text that may be longer stands beside it (see about_js.go).
  const { TRIBUTARY_ABOUT: about, ...environment } = variables;
  program.env = environment;
  program.exit = () => {};
  // A timer or a promise belongs to the request that made it, and the instance outlives that request. So Go gets no timers,
  // and the promise that run() waits for is never settled. Callers look at `exited` instead.
  program._resolveExitPromise = () => {};
  const { gojs } = program.importObject;
  gojs["runtime.scheduleTimeoutEvent"] = (sp) => program.mem.setInt32((sp >>> 0) + 16, 1, true);
  gojs["runtime.clearTimeoutEvent"] = () => {};

  let starting = true;
  let ticks = 0n;
  const { "runtime.nanotime1": nanotime, "runtime.getRandomData": getRandomData } = gojs;
  gojs["runtime.nanotime1"] = (sp) => {
    if (starting) program.mem.setBigInt64((sp >>> 0) + 8, ++ticks, true);
    else nanotime?.(sp);
  };
  gojs["runtime.getRandomData"] = (sp) => {
    try {
      getRandomData?.(sp);
    } catch (error) {
      if (!starting) throw error;
      const { mem } = program;
      const [at, length] = [8, 16].map((offset) => Number(mem.getBigInt64((sp >>> 0) + offset, true)));
      for (let i = 0; i < Number(length); i++) mem.setUint8(Number(at) + i, Math.random() * 256);
    }
  };

  let ready = false;
  const workers = {
    ready: () => {
      ready = true;
    },
  };
  const binding: { handleRequest?: Instance["handle"] } = {};
  const imports = { ...program.importObject, workers } as unknown as WebAssembly.Imports;
  global.context = { binding, about }; // Go, and syumai's for the binding, reads this once, during its initialisation
  program.run(new WebAssembly.Instance(module, imports)).catch(() => {});
  global.context = undefined;
  starting = false;
  if (!ready || !binding.handleRequest) throw new Error("front door: Go did not start");
  return { program, handle: binding.handleRequest };
}

/** One Go front door for all requests of an isolate. */
export class FrontDoor {
  #module: WebAssembly.Module;
  #variables: Record<string, string>;
  #instance: Instance | undefined;
  /** Whether Go was started and rehearsed by the constructor. */
  readonly prepared: Promise<boolean>;

  /** The variables become the program's settings. Made outside of handlers, it costs no request the start of Go. */
  constructor(module: WebAssembly.Module, variables: Record<string, string>) {
    this.#module = module;
    this.#variables = variables;
    try {
      const instance = start(module, variables);
      this.#instance = instance;
      // The answer is not needed: what it takes to give one is compiled then, and not during the first request.
      this.prepared = answer(instance, health).then(
        () => true,
        (error) => {
          this.#discard(instance);
          return unprepared(error);
        },
      );
    } catch (error) {
      this.prepared = Promise.resolve(unprepared(error));
    }
  }

  /**
   * Asks Go about a request and returns the headers of its answer. It throws when Go has exited, or has not answered by the
   * time the call returns. The next request then gets a new instance.
   */
  async ask(question: Question): Promise<Headers> {
    this.#instance ??= start(this.#module, this.#variables);
    const instance = this.#instance;
    try {
      return await answer(instance, question);
    } catch (error) {
      this.#discard(instance);
      throw instance.program.exited ? new Error("front door: Go exited") : error;
    }
  }

  /** Has the next request start another instance. */
  #discard(instance: Instance): void {
    if (this.#instance === instance) this.#instance = undefined;
  }
}

/** Logs why the first request has to start Go. */
function unprepared(error: unknown): false {
  const message = "the front door was not started before the first request";
  console.warn(JSON.stringify({ level: "warn", message, error: String(error) }));
  return false;
}

/** A question that every front door answers. */
const health: Question = { method: "GET", url: "https://localhost/health", headers: new Map(), body: null };

async function answer({ program, handle }: Instance, question: Question): Promise<Headers> {
  const nothing = new Response(null);
  // syumai's promise is settled when the call returns, and then wins this race. If it is not settled, Go waits for something.
  const response = await Promise.race([handle(question), nothing]).catch(() => unreadable(question));
  if (program.exited || response === nothing) throw new Error("front door: Go did not answer within the call");
  return response.headers;
}

/**
 * Makes the answer to a URL that Go cannot parse, the only request that syumai's glue rejects. The error is dropped
 * because it holds the URL with its token.
 */
function unreadable({ headers }: Question): Response {
  const upgrade = headers.get("upgrade")?.toLowerCase() === "websocket";
  const refused = { "Tributary-Status": "400", "Tributary-Body": "Invalid%20request" };
  return new Response(null, { headers: upgrade ? { "Tributary-Close": "4400 Invalid request" } : refused });
}
