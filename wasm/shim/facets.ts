// The facets of an object: helpers in its slots. Each is an object of this Worker with its own storage.
import type { Facet } from "./abi.ts";
import { costs } from "./cost.ts";

/** The methods that one object can call of another: bytes go in, and bytes or a stream of bytes come out. */
export interface Peer {
  call(data: Uint8Array): Promise<Uint8Array>;
  open(data: Uint8Array): Promise<ReadableStream<Uint8Array>>;
}

/** Returns a function that returns the facet in a slot, or throws. The function may be called later. */
export type FacetLookup = (facet: Facet) => () => Peer;

export class Facets {
  readonly #state: DurableObjectState;
  readonly #who: Identity;
  /**
   * The class of each slot that was reached. The platform returns the facet that runs in a slot whatever class is asked
   * for.
   */
  readonly #held = new Map<string, string>();
  /** How often each slot was deleted. */
  readonly #deletions = new Map<string, number>();

  constructor(state: DurableObjectState, who: Identity) {
    this.#state = state;
    this.#who = who;
  }

  /**
   * Commands are performed in order. A call to a slot that a later command deletes fails, and does not make the facet
   * anew.
   */
  lookup(facet: Facet): () => Peer {
    const deletions = this.#deletions.get(facet.slot);
    return () => {
      if (this.#deletions.get(facet.slot) !== deletions) throw new Error("Facet was deleted.");
      return this.#get(facet);
    };
  }

  #get({ slot, class: name }: Facet): Peer {
    const held = this.#held.get(slot) ?? name;
    if (held !== name) throw new Error(`slot ${slot} holds ${held}, not ${name}`);
    const exports = this.#state.exports as unknown as Record<string, DurableObjectClass | undefined>;
    const known = exports[name];
    if (!known) throw new Error(`the Worker exports no class ${name}`);
    this.#held.set(slot, name);
    const id = `${pathOf(this.#who)}/${slot}`;
    return this.#state.facets.get(slot, () => ({ class: known, id })) as unknown as Peer;
  }

  /** Deletes the facet in a slot with its storage. A running facet is aborted. */
  delete(slot: string): void {
    this.#held.delete(slot);
    this.#deletions.set(slot, (this.#deletions.get(slot) ?? 0) + 1);
    this.#state.facets.delete(slot);
    costs.delete(`${pathOf(this.#who)}/${slot}`);
  }

  /** Ends the facet in a slot, and the facets below it. Their storage stays, and the next lookup starts the facet again. */
  evict(slot: string): void {
    this.#state.facets.abort(slot, new Error("The facet was evicted."));
  }
}

/** The identity of an object in the isolate. */
export interface Identity {
  /** The platform's id of its root, which no root of another class has. */
  tree: string;
  /** Its name. A facet's name is its root's name followed by the path of slots. */
  name: string;
  facet: boolean;
}

/** The path of an object, which no other object of the isolate has. A facet's is its id. */
export function pathOf({ tree, name }: Identity): string {
  return `${tree}/${name}`;
}

/** Reads an object's identity. A facet's id was given by its parent: the tree, a slash and the name. */
export function identity({ id }: { id: unknown }): Identity {
  if (typeof id !== "string") {
    const { name = "" } = id as DurableObjectId;
    return { tree: String(id), name, facet: false };
  }
  const [tree = "", ...name] = id.split("/");
  return { tree, name: name.join("/"), facet: true };
}

/** Copies bytes out of a larger buffer, because RPC would send the whole buffer of a view. */
export function copyOf(data: Uint8Array | null): Uint8Array {
  return data?.slice() ?? new Uint8Array();
}
