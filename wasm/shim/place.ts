// Where an object lives: the instance that it was opened in.
import type { Instance, Resident } from "./instance.ts";

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
