// Assigns objects to instances: one instance for all objects of the isolate, and a few for objects that trap repeatedly.
import { Instance } from "./instance.ts";
import { portsOf } from "./platform.ts";
import { InstancePool } from "./pool.ts";

/** A second trap within this time moves a tree out of the shared instance, in milliseconds. */
const trapWindow = 60_000;
/** How long a tree must not trap before it moves back, in milliseconds. */
const recoveryTime = 10 * 60_000;
/** After so many deaths of the shared instance within the trap window, a tree is moved at its first trap. */
const maxDeaths = 4;
/** The number of pools for trees that trap, and the number of such trees that are remembered. */
const maxOwn = 3;
const maxTrapped = 1000;

/** A tree that has trapped: the time of its last trap, and the pool that it was moved to, if any. */
interface Trapped {
  last: number;
  pool: InstancePool | undefined;
}

/**
 * Assigns each tree of objects to a pool of instances. The traps of all objects of a tree count together, because a root can
 * make any number of helpers. Every call is given the time.
 */
export class Containment {
  readonly #shared: InstancePool;
  readonly #own: InstancePool[];
  readonly #pools: InstancePool[];
  /** The limit of all instances' memory together, in bytes. */
  readonly #maxMemory: number;
  /** The trees that have trapped, the oldest trap first. */
  readonly #trapped = new Map<string, Trapped>();
  /** The times of the last traps that ended the shared instance. */
  #deaths: number[] = [];

  /** The shared instance may grow to maxMemory bytes, and so may the instances of trapping trees together. */
  constructor(make: () => Instance, maxMemory: number, own = maxOwn) {
    this.#shared = new InstancePool(make, maxMemory);
    this.#own = Array.from({ length: own }, () => new InstancePool(make, Math.floor(maxMemory / maxOwn)));
    this.#pools = [this.#shared, ...this.#own];
    this.#maxMemory = 2 * maxMemory;
  }

  /** Has the objects that share an instance begin with this one. */
  adopt(instance: Instance): void {
    this.#shared.adopt(instance);
  }

  /** The pool in which a tree's objects are opened. */
  pool(tree: string): InstancePool {
    return this.#trapped.get(tree)?.pool ?? this.#shared;
  }

  /** Ends instances that have drained long enough, and forgets the trees that have recovered. */
  expire(now: number): void {
    for (const pool of this.#pools) pool.expire(now);
    for (const [tree, { last }] of this.#trapped) {
      if (now - last < recoveryTime) return;
      this.#forget(tree, now);
    }
  }

  /**
   * Checks the memory after an event of a tree in a pool. An instance that has grown too large is replaced. If all instances
   * together exceed their limit, those that are draining end at once.
   */
  checkMemory(tree: string, pool: InstancePool, now: number): void {
    if (pool.replaceIfGrown(now) && pool === this.#shared) this.#count(tree, now);
    if (this.#pools.reduce((sum, { size }) => sum + size, 0) <= this.#maxMemory) return;
    for (const each of this.#pools) each.endDraining();
  }

  /** Records that an event of a tree has ended a pool's instance. */
  died(tree: string, pool: InstancePool, now: number): void {
    this.#count(tree, now);
    if (pool === this.#shared) this.#deaths = [...this.#deaths, now].slice(-maxDeaths);
  }

  /** Ends all instances. */
  drop(): void {
    for (const pool of this.#pools) pool.drop();
  }

  /** Counts a trap of a tree, and moves the tree if it trapped recently. */
  #count(tree: string, now: number): void {
    const before = this.#trapped.get(tree);
    const move = (before && now - before.last < trapWindow) || this.#unstable(now);
    this.#trapped.delete(tree); // so that it becomes the last one
    this.#trapped.set(tree, { last: now, pool: before?.pool ?? (move ? this.#leastUsed() : undefined) });
    const [oldest] = this.#trapped.keys();
    if (this.#trapped.size > maxTrapped && oldest !== undefined) this.#forget(oldest, now);
  }

  /** Whether the shared instance has died so often that one trap is enough to move a tree. */
  #unstable(now: number): boolean {
    const [first] = this.#deaths;
    return first !== undefined && this.#deaths.length === maxDeaths && now - first < trapWindow;
  }

  /** The pool with the fewest trees, if there are pools for trapping trees. */
  #leastUsed(): InstancePool | undefined {
    return this.#own.toSorted((a, b) => this.#treesIn(a) - this.#treesIn(b))[0];
  }

  /** Moves a tree back to the shared instance. */
  #forget(tree: string, now: number): void {
    const pool = this.#trapped.get(tree)?.pool;
    this.#trapped.delete(tree);
    if (pool && this.#treesIn(pool) === 0) pool.replace(now);
  }

  #treesIn(pool: InstancePool): number {
    return [...this.#trapped.values()].filter((tree) => tree.pool === pool).length;
  }
}

/** The limit of the shared memory in bytes: a bit more than a third of the platform's limit for an isolate. */
const maxMemory = 48 << 20;

const shared = new WeakMap<WebAssembly.Module, Containment>();

/** Returns the containment that all objects of a module in this isolate share, or a new one for a single object. */
export function containmentOf(module: WebAssembly.Module, alone: boolean): Containment {
  const make = () => new Instance(module, portsOf(module));
  if (alone) return new Containment(make, maxMemory, 0);
  const known = shared.get(module) ?? new Containment(make, maxMemory);
  shared.set(module, known);
  return known;
}
