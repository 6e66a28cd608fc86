// One instance after another, for all objects that share a pool.
import type { Instance } from "./instance.ts";

/** How long busy objects may stay in an instance that was replaced, in milliseconds. */
const drainTimeout = 60_000;

/**
 * Hands out an instance, and a new one when that has died or grown too large. An instance that has grown is drained: idle
 * objects are opened in the new one, and busy objects stay until they are idle, for a minute at most. So a pool never has
 * more than two instances.
 */
export class InstancePool {
  readonly #make: () => Instance;
  readonly #maxMemory: number;
  #instance: Instance | undefined;
  /** The instance that was replaced, where objects may still be busy. */
  #draining: { instance: Instance; at: number } | undefined;

  constructor(make: () => Instance, maxMemory: number) {
    this.#make = make;
    this.#maxMemory = maxMemory;
  }

  /** The live instance that is handed out, if there is one. */
  get current(): Instance | undefined {
    return this.#instance?.dead ? undefined : this.#instance;
  }

  /** The size of the instances' memories together, in bytes. */
  get size(): number {
    const draining = this.#draining?.instance;
    return (this.current?.size ?? 0) + (draining && !draining.dead ? draining.size : 0);
  }

  /** Takes an instance that was made outside of handlers, unless there is one. */
  adopt(instance: Instance): void {
    this.#instance ??= instance;
  }

  /** Returns the current instance, or makes one. It works inside a handler only. */
  get(): Instance {
    this.#instance = this.current ?? this.#make();
    return this.#instance;
  }

  /** Replaces the instance if its memory has grown too large, and says whether it has. */
  replaceIfGrown(now: number): boolean {
    if (!this.current || this.current.size <= this.#maxMemory) return false;
    this.replace(now);
    return true;
  }

  /** Drains the instance, so that the next event makes a new one. */
  replace(now: number): void {
    this.endDraining();
    this.#draining = this.current && { instance: this.current, at: now };
    this.#instance = undefined;
  }

  /** Ends an instance that has drained long enough. */
  expire(now: number): void {
    if (this.#draining && now - this.#draining.at >= drainTimeout) this.endDraining();
  }

  /** Ends the draining instance. Objects that are busy there resume from storage. */
  endDraining(): void {
    this.#draining?.instance.end();
    this.#draining = undefined;
  }

  /** Ends all instances. */
  drop(): void {
    this.endDraining();
    this.current?.end();
  }
}
