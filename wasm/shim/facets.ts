// The facets of an object: helpers in its slots, each an object of this Worker with storage of its own.
import type { Facet } from "./abi.ts";

/** All that one object can ask of another: bytes for bytes, or for a stream of bytes. */
export interface Neighbour {
  call(data: Uint8Array): Promise<Uint8Array>;
  open(data: Uint8Array): Promise<ReadableStream<Uint8Array>>;
}

/** Finds the facet in a slot, to be had a moment later: what is returned hands it out, or throws. */
export type Reach = (facet: Facet) => () => Neighbour;

export class Facets {
  readonly #state: DurableObjectState;
  readonly #who: Identity;
  /** Which class was reached in which slot. The platform would hand out what runs there, whatever class is asked for. */
  readonly #held = new Map<string, string>();
  /** How often each slot was wiped. */
  readonly #wiped = new Map<string, number>();

  constructor(state: DurableObjectState, who: Identity) {
    this.#state = state;
    this.#who = who;
  }

  /** Commands are performed in order: what is asked of a slot that one of them wipes does not make the facet anew. */
  reach(facet: Facet): () => Neighbour {
    const wiped = this.#wiped.get(facet.slot);
    return () => {
      if (this.#wiped.get(facet.slot) !== wiped) throw new Error("Facet was deleted.");
      return this.#get(facet);
    };
  }

  #get({ slot, class: name }: Facet): Neighbour {
    const held = this.#held.get(slot) ?? name;
    if (held !== name) throw new Error(`slot ${slot} holds ${held}, not ${name}`);
    const exports = this.#state.exports as unknown as Record<string, DurableObjectClass | undefined>;
    const known = exports[name];
    if (!known) throw new Error(`the Worker exports no class ${name}`);
    this.#held.set(slot, name);
    const id = `${this.#who.tree}/${this.#who.name}/${slot}`;
    return this.#state.facets.get(slot, () => ({ class: known, id })) as unknown as Neighbour;
  }

  /** Wipes a slot. What runs there is cut off. */
  delete(slot: string): void {
    this.#held.delete(slot);
    this.#wiped.set(slot, (this.#wiped.get(slot) ?? 0) + 1);
    this.#state.facets.delete(slot);
  }
}

/** Which object of the isolate one is. */
export interface Identity {
  /** Its root: the id that the platform has made for that, which no root of another class has. */
  tree: string;
  /** Its name: a facet's is its root's with the path of slots behind it. */
  name: string;
  facet: boolean;
}

/** A facet's id is what its parent has given it: its tree, and behind that its name. */
export function identity({ id }: { id: unknown }): Identity {
  if (typeof id !== "string") {
    const { name = "" } = id as DurableObjectId;
    return { tree: String(id), name, facet: false };
  }
  const [tree = "", ...name] = id.split("/");
  return { tree, name: name.join("/"), facet: true };
}

/** Bytes of one's own, without those around them: RPC would send the whole buffer behind a view. */
export function own(data: Uint8Array | null): Uint8Array {
  return data?.slice() ?? new Uint8Array();
}
