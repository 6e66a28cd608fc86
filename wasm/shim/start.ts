// What an engine is behind its start. The start takes most of the time of a short script, and depends on the prelude and the
// limits alone. So the engine's memory behind it is kept, and copied into the next engine instead of a start.
import type { Pointer } from "./engine.ts";
import type { Open } from "./scriptcodec.ts";

/** What a start depends on. */
type Given = Pick<Open, "memory" | "stack" | "prelude">;

/** An engine behind its start: its memory, the units of work that the start has taken, and where the prelude is. */
export interface Start {
  image: Uint8Array;
  work: number;
  prelude: Pointer;
  verbs: ReadonlyMap<string, Pointer>;
}

/** How many starts are kept, of 1.4 MB each: those of two tools that run code. */
const most = 2;

export class Starts {
  /** The last ones that were used, the latest first. */
  readonly #kept: { given: Given; start: Start }[] = [];

  /** Returns the start of an engine, if it is kept. */
  find(given: Given): Start | undefined {
    const at = this.#kept.findIndex((kept) => same(kept.given, given));
    if (at > 0) this.#kept.unshift(...this.#kept.splice(at, 1));
    return at < 0 ? undefined : this.#kept[0]?.start;
  }

  /** Keeps a start, and drops the one that was not used for the longest time. */
  keep({ memory, stack, prelude }: Given, start: Start): void {
    this.#kept.unshift({ given: { memory, stack, prelude: new Uint8Array(prelude) }, start });
    this.#kept.length = Math.min(this.#kept.length, most);
  }
}

function same(a: Given, b: Given): boolean {
  const alike = a.memory === b.memory && a.stack === b.stack && a.prelude.length === b.prelude.length;
  return alike && a.prelude.every((byte, i) => byte === b.prelude[i]);
}
