// One instance after another, for all objects that live together.
import type { Instance } from "./instance.ts";

/** How long an object that is busy may stay in an instance that the others leave, in milliseconds. */
const patience = 60_000;

/**
 * Hands out an instance, and a new one when that has died or grown too large. One that has grown is left: objects at rest
 * are opened in the next one, and objects that are busy stay until they come to rest, for a minute at most. So a holder
 * never has more than two instances.
 */
export class Holder {
  readonly #make: () => Instance;
  readonly #maxMemory: number;
  #instance: Instance | undefined;
  /** The instance before, where objects may still be busy. */
  #left: { instance: Instance; at: number } | undefined;

  constructor(make: () => Instance, maxMemory: number) {
    this.#make = make;
    this.#maxMemory = maxMemory;
  }

  /** The living instance that is handed out, if there is one. */
  get current(): Instance | undefined {
    return this.#instance?.dead ? undefined : this.#instance;
  }

  /** How many bytes the memories of the instances have. */
  get size(): number {
    const left = this.#left?.instance;
    return (this.current?.size ?? 0) + (left && !left.dead ? left.size : 0);
  }

  /** Works inside a handler only. */
  get(): Instance {
    this.#instance = this.current ?? this.#make();
    return this.#instance;
  }

  /** Leaves the instance if its memory has grown too large, and says whether it has. */
  outgrown(now: number): boolean {
    if (!this.current || this.current.size <= this.#maxMemory) return false;
    this.leave(now);
    return true;
  }

  /** Lets the next event make a new instance. */
  leave(now: number): void {
    this.abandon();
    this.#left = this.current && { instance: this.current, at: now };
    this.#instance = undefined;
  }

  /** Ends an instance that was left long enough ago. */
  expire(now: number): void {
    if (this.#left && now - this.#left.at >= patience) this.abandon();
  }

  /** Ends the instance that is being left. Whoever is busy there goes on from storage. */
  abandon(): void {
    this.#left?.instance.end();
    this.#left = undefined;
  }

  /** Ends all instances. */
  drop(): void {
    this.abandon();
    this.current?.end();
  }
}
