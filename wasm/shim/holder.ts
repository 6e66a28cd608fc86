// Who lives in which instance: one for all objects of the isolate, or one for each.
import { Instance, type Ports } from "./instance.ts";
import { platform } from "./platform.ts";

/** Hands out the instance of the day, and a new one when that has died or grown too large. */
export class Holder {
  readonly #module: WebAssembly.Module;
  readonly #ports: Ports;
  readonly #maxMemory: number;
  #instance: Instance | undefined;

  constructor(module: WebAssembly.Module, ports: Ports, maxMemory: number) {
    this.#module = module;
    this.#ports = ports;
    this.#maxMemory = maxMemory;
  }

  /** Works inside a handler only. */
  get(): Instance {
    if (!this.#instance || this.#instance.dead) this.#instance = new Instance(this.#module, this.#ports);
    return this.#instance;
  }

  /** Tells that nothing would be interrupted now: the time to leave a memory that has grown too large. */
  quiet(): void {
    if (this.#instance && this.#instance.size > this.#maxMemory) this.retire();
  }

  /** Lets the next event make a new instance. What lived in the old one goes on from storage. */
  retire(): void {
    this.#instance = undefined;
  }
}

/** How large a linear memory may grow before the instance is replaced in a quiet moment. */
const maxMemory = 64 << 20;

const shared = new WeakMap<WebAssembly.Module, Holder>();

/** The holder of a module's shared instance, or one of the object's own. */
export function holderOf(module: WebAssembly.Module, own: boolean): Holder {
  const holder = (!own && shared.get(module)) || new Holder(module, platform, maxMemory);
  if (!own) shared.set(module, holder);
  return holder;
}

let handles = 0;

/** Where an object lives: the instance that it was opened in, and its number there, which no other in the isolate has. */
export class Place {
  readonly handle = ++handles;
  // Weak, so that an idle object does not keep the memory of an instance that was retired or has died.
  #instance: WeakRef<Instance> | undefined;

  get instance(): Instance | undefined {
    return this.#instance?.deref();
  }

  set instance(instance: Instance | undefined) {
    this.#instance = instance && new WeakRef(instance);
  }

  /** Drops the in-memory part. */
  leave(): void {
    this.instance?.close(this.handle);
    this.instance = undefined;
  }
}
