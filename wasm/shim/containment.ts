// Who lives in which instance: one for all objects of the isolate, and a few for those whose events trap again and again.
import { Holder } from "./holder.ts";
import { Instance } from "./instance.ts";
import { platform } from "./platform.ts";

/** Within which time a second trap moves a tree out of the shared instance, in milliseconds. */
const again = 60_000;
/** How long a tree must not trap to come back, in milliseconds. */
const well = 10 * 60_000;
/** How many deaths of the shared instance, within the time of again, are enough to move a tree at its first trap. */
const unrest = 4;
/** How many instances there are for trees that trap, and how many of these trees are known at a time. */
const maxOwn = 3;
const maxTrapped = 1000;

/** A tree that has trapped: when that was last, and the holder that it was moved to, if it was. */
interface Trapped {
  last: number;
  holder: Holder | undefined;
}

/**
 * Says in which holder's instances a tree of objects lives. All objects of a tree count together, since a root can make any
 * number of helpers. The time is given with every call.
 */
export class Containment {
  readonly #shared: Holder;
  readonly #own: Holder[];
  readonly #holders: Holder[];
  /** How much all instances may hold together, in bytes. */
  readonly #maxMemory: number;
  /** The trees that have trapped, the longest ago first. */
  readonly #trapped = new Map<string, Trapped>();
  /** When traps ended the shared instance, the last few times. */
  #deaths: number[] = [];

  /** The shared instance may grow to so many bytes, and the instances of those that trap may have as much together. */
  constructor(make: () => Instance, maxMemory: number, own = maxOwn) {
    this.#shared = new Holder(make, maxMemory);
    this.#own = Array.from({ length: own }, () => new Holder(make, Math.floor(maxMemory / maxOwn)));
    this.#holders = [this.#shared, ...this.#own];
    this.#maxMemory = 2 * maxMemory;
  }

  /** The holder that a tree's objects are opened by. */
  holder(tree: string): Holder {
    return this.#trapped.get(tree)?.holder ?? this.#shared;
  }

  /** Ends what has been left for long enough, and forgets the trees that are well. */
  tidy(now: number): void {
    for (const holder of this.#holders) holder.expire(now);
    for (const [tree, { last }] of this.#trapped) {
      if (now - last < well) return;
      this.#forget(tree, now);
    }
  }

  /**
   * Takes note of an event of a tree that has happened in a holder's instance. What has grown too large is left; where all
   * instances together hold too much, those that are being left end at once.
   */
  weigh(tree: string, holder: Holder, now: number): void {
    if (holder.outgrown(now) && holder === this.#shared) this.#count(tree, now);
    if (this.#holders.reduce((sum, { size }) => sum + size, 0) <= this.#maxMemory) return;
    for (const each of this.#holders) each.abandon();
  }

  /** Takes note that an event of a tree has ended a holder's instance. */
  died(tree: string, holder: Holder, now: number): void {
    this.#count(tree, now);
    if (holder === this.#shared) this.#deaths = [...this.#deaths, now].slice(-unrest);
  }

  /** Ends all instances. */
  drop(): void {
    for (const holder of this.#holders) holder.drop();
  }

  /** Moves a tree where this was not the first time. */
  #count(tree: string, now: number): void {
    const before = this.#trapped.get(tree);
    const move = (before && now - before.last < again) || this.#restless(now);
    this.#trapped.delete(tree); // so that it comes behind the others
    this.#trapped.set(tree, { last: now, holder: before?.holder ?? (move ? this.#emptiest() : undefined) });
    const [oldest] = this.#trapped.keys();
    if (this.#trapped.size > maxTrapped && oldest !== undefined) this.#forget(oldest, now);
  }

  /** Whether the shared instance has died so often that one trap is enough to be moved. */
  #restless(now: number): boolean {
    const [first] = this.#deaths;
    return first !== undefined && this.#deaths.length === unrest && now - first < again;
  }

  /** The holder to which the fewest trees were moved, if there are any. */
  #emptiest(): Holder | undefined {
    return this.#own.toSorted((a, b) => this.#tenants(a) - this.#tenants(b))[0];
  }

  /** Lets a tree live in the shared instance again. */
  #forget(tree: string, now: number): void {
    const holder = this.#trapped.get(tree)?.holder;
    this.#trapped.delete(tree);
    if (holder && this.#tenants(holder) === 0) holder.leave(now);
  }

  #tenants(holder: Holder): number {
    return [...this.#trapped.values()].filter((tree) => tree.holder === holder).length;
  }
}

/** How large the shared memory may grow: a bit more than a third of what the platform ends an isolate at. */
const maxMemory = 48 << 20;

const shared = new WeakMap<WebAssembly.Module, Containment>();

/** The containment of all objects of a module in this isolate, or of one that has an instance of its own. */
export function containmentOf(module: WebAssembly.Module, alone: boolean): Containment {
  const make = () => new Instance(module, platform);
  if (alone) return new Containment(make, maxMemory, 0);
  const known = shared.get(module) ?? new Containment(make, maxMemory);
  shared.set(module, known);
  return known;
}
