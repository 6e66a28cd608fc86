// The registration of an object with the instance that it was opened in.
import type { Instance, InstanceObserver } from "./instance.ts";

let handles = 0;

/** What a registration needs from its object. */
export interface RegisteredObject {
  /** Whether any work of the object is unfinished, or any caller waits for it. */
  busy(): boolean;
  /** Called when another object's trap has ended the instance, and the in-memory part with it. */
  instanceLost(): void;
}

/**
 * The instance that an object was opened in, and the object's handle there, which is unique in the isolate.
 */
export class Registration implements InstanceObserver {
  readonly handle = ++handles;
  readonly #registered: WeakRef<RegisteredObject>;
  // Weak, so that an idle object does not keep the memory of an instance that has ended or was replaced.
  #instance: WeakRef<Instance> | undefined;
  #signal = () => {};

  /** The reference to the object is weak, because the instance keeps the registration. */
  constructor(registered: RegisteredObject) {
    this.#registered = new WeakRef(registered);
  }

  get instance(): Instance | undefined {
    return this.#instance?.deref();
  }

  enter(instance: Instance): void {
    this.forget();
    // The platform runs a promise's callbacks in the context that made the promise: here, the object's own.
    const { promise, resolve } = Promise.withResolvers<void>();
    void promise.then(() => {
      if (this.#signal === resolve) this.#registered.deref()?.instanceLost();
    });
    this.#signal = resolve;
    this.#instance = new WeakRef(instance);
    instance.observers.add(this);
  }

  /** Signals a busy object. An idle object is not called; the platform may even have dropped it. */
  instanceEnded(): void {
    if (this.#registered.deref()?.busy()) this.#signal();
  }

  /** Drops the in-memory part from an instance, if it is open there. */
  leave(instance = this.instance): void {
    this.forget();
    instance?.close(this.handle);
  }

  /** Records that the in-memory part is gone. */
  forget(): void {
    this.instance?.observers.delete(this);
    this.#instance = undefined;
    this.#signal = () => {};
  }
}
