// The calls that an object makes of its facets.
import type { Command, Of } from "./abi.ts";
import { type Deliver, reason } from "./deliver.ts";
import { copyOf, type FacetLookup } from "./facets.ts";

export class Calls {
  readonly #lookup: FacetLookup;
  readonly #deliver: Deliver;
  #generation = 0;
  #running = 0;

  constructor(lookup: FacetLookup, deliver: Deliver) {
    this.#lookup = lookup;
    this.#deliver = deliver;
  }

  /** Resolves when the answer has been delivered. */
  async start({ call, to, data }: Of<Command, "Call">): Promise<void> {
    const generation = this.#generation;
    const gone = () => generation !== this.#generation;
    const facet = this.#lookup(to);
    this.#running++;
    await undefined; // The commands after this one are performed before any event of it.
    try {
      const answer = await facet().call(copyOf(data));
      if (!gone()) await this.#deliver({ kind: "CallAnswered", call, data: answer }, gone);
    } catch (error) {
      if (!gone()) await this.#deliver({ kind: "CallFailed", call, error: reason(error) }, gone);
    }
    if (!gone()) this.#running--;
  }

  get busy(): boolean {
    return this.#running > 0;
  }

  /** Forgets all calls. They may still take effect, but no event follows. */
  abort(): void {
    this.#generation++;
    this.#running = 0;
  }
}
