// Who lives in which instance: one for all objects of the isolate, or one for each.
import { Instance, type Ports, type Resident } from "./instance.ts";
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

  /** The instance of the day, if there is one. */
  get current(): Instance | undefined {
    return this.#instance?.dead ? undefined : this.#instance;
  }

  /** Works inside a handler only. */
  get(): Instance {
    this.#instance = this.current ?? new Instance(this.#module, this.#ports);
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

/** What a place knows of its object. */
export interface Lodger {
  /** Whether anything is under way: something that the object has begun, or somebody who waits for it. */
  busy(): boolean;
  /** Hears that another object's trap has taken the in-memory part with it. */
  orphaned(): void;
}

/** Where an object lives: the instance that it was opened in, and its number there, which no other in the isolate has. */
export class Place implements Resident {
  readonly handle = ++handles;
  readonly #lodger: WeakRef<Lodger>;
  // Weak, so that an idle object does not keep the memory of an instance that was retired or has died.
  #instance: WeakRef<Instance> | undefined;
  #signal = () => {};

  /** The instance keeps the place, which therefore does not keep the object. */
  constructor(lodger: Lodger) {
    this.#lodger = new WeakRef(lodger);
  }

  get instance(): Instance | undefined {
    return this.#instance?.deref();
  }

  enter(instance: Instance): void {
    this.forget();
    // The platform runs what follows a promise where that was made: here, in the object's own context.
    const { promise, resolve } = Promise.withResolvers<void>();
    void promise.then(() => {
      if (this.#signal === resolve) this.#lodger.deref()?.orphaned();
    });
    this.#signal = resolve;
    this.#instance = new WeakRef(instance);
    instance.residents.add(this);
  }

  /** An object at rest is left alone; the platform may even have let go of it. */
  lost(): void {
    if (this.#lodger.deref()?.busy()) this.#signal();
  }

  /** Drops the in-memory part from an instance, if it is there. */
  leave(instance = this.instance): void {
    this.forget();
    instance?.close(this.handle);
  }

  /** Takes note that the in-memory part is gone. */
  forget(): void {
    this.instance?.residents.delete(this);
    this.#instance = undefined;
    this.#signal = () => {};
  }
}
