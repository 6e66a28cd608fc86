// The calls that an object has under way.
import type { Command, Of } from "./abi.ts";
import { own, type Reach } from "./facets.ts";
import type { Deliver } from "./perform.ts";

export class Calls {
  readonly #reach: Reach;
  readonly #deliver: Deliver;
  #generation = 0;
  #running = 0;

  constructor(reach: Reach, deliver: Deliver) {
    this.#reach = reach;
    this.#deliver = deliver;
  }

  /** Resolves when the answer has been delivered. */
  async start({ call, to, data }: Of<Command, "Call">): Promise<void> {
    const generation = this.#generation;
    const gone = () => generation !== this.#generation;
    const facet = this.#reach(to);
    this.#running++;
    await undefined; // The commands behind this one come before anything that is told of it.
    try {
      const answer = await facet().call(own(data));
      if (!gone()) this.#deliver({ kind: "CallAnswered", call, data: answer }, gone);
    } catch (error) {
      if (!gone()) this.#deliver({ kind: "CallFailed", call, error: reason(error) }, gone);
    }
    if (!gone()) this.#running--;
  }

  get any(): boolean {
    return this.#running > 0;
  }

  /** Forgets all calls. What they asked for may happen all the same, but no event tells of it. */
  abort(): void {
    this.#generation++;
    this.#running = 0;
  }
}

/** What an object is told of an error. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
