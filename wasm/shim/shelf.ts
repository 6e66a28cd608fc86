// The boxes of scripts that wait. They are a cache: the module opens a box again that is not there any more.

/** How much memory they may take together, in bytes. Those that were not used for the longest time are dropped first. */
const maxBytes = 48 << 20;
/** How long a box may wait before another one's request drops it, in milliseconds. */
const maxWait = 10_000;

/** A box: what its engine's memory takes, in bytes. */
interface Sized {
  readonly size: number;
}

/** Keeps boxes by their names. All hosts of an isolate share one shelf. It has no clock: requests bring the time. */
export class Shelf<B extends Sized> {
  /** The boxes with the times from which they wait, the least recently used first. */
  readonly #kept = new Map<string, { box: B; since: number }>();

  /** Takes a box away, if it is there. */
  take(name: string): B | undefined {
    const box = this.#kept.get(name)?.box;
    this.#kept.delete(name);
    return box;
  }

  /** Keeps a box that waits from now on, and drops others until all fit. */
  put(name: string, box: B, now: number): void {
    this.#kept.set(name, { box, since: now });
    let bytes = 0;
    for (const { box } of this.#kept.values()) bytes += box.size;
    for (const [oldest, { box }] of this.#kept) {
      if (bytes <= maxBytes) return;
      bytes -= box.size;
      this.#kept.delete(oldest);
    }
  }

  /** Drops the boxes that have waited for too long. */
  expire(now: number): void {
    for (const [name, { since }] of this.#kept) {
      if (now - since > maxWait) this.#kept.delete(name);
    }
  }
}
