// One object's life in the module: every event is one transaction, and the object is opened where it is not there.
import { type Command, type Event, type Reply, status } from "./abi.ts";
import { decodeReply, encodeOccurrence } from "./codec.ts";
import { type Holder, type Lodger, Place } from "./holder.ts";
import { type Instance, type Loss, type Sql, Trap } from "./instance.ts";

/** What a seat needs of the object's host. */
export interface Owner extends Lodger {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a function in one synchronous transaction, which is rolled back when it throws. */
  transaction<T>(run: () => T): T;
  sql: Sql;
  /** Ends what an earlier in-memory part began, and tells the first event of a new one. */
  opened(lost: Loss): Event;
  /** Performs commands; their event has committed. */
  perform(commands: Command[]): void;
}

export class Seat {
  readonly place: Place;
  readonly #holder: Holder;
  readonly #owner: Owner;
  /** What the object's own last event did to the instance. */
  #lost: Loss = "";

  constructor(holder: Holder, owner: Owner) {
    this.#holder = holder;
    this.#owner = owner;
    this.place = new Place(owner);
  }

  /** Whether the in-memory part is there. */
  get awake(): boolean {
    const { instance } = this.place;
    return instance !== undefined && instance === this.#holder.current;
  }

  /**
   * Lets an event happen; the object is opened first where it is not in the instance of the day. What the event tells of
   * may be gone by then. It throws where the event was lost: nothing of it has happened, and the next one can go on.
   */
  deliver(event: Event, gone: () => boolean = () => false): void {
    const instance = this.#holder.get();
    if (this.place.instance !== instance) this.#open(instance);
    if (gone() || this.#step(instance, event)) return;
    this.#open(instance);
    if (gone() || this.#step(instance, event)) return;
    throw new Error("the module does not keep the object that it has just opened");
  }

  /** Opens the object, though nothing happens to it, unless it is there. */
  open(): void {
    const instance = this.#holder.get();
    if (this.place.instance !== instance) this.#open(instance);
  }

  #open(instance: Instance): void {
    this.place.forget();
    const reply = this.#transact(instance, "open", this.#owner.opened(this.#lost));
    this.#lost = "";
    this.place.enter(instance);
    this.#owner.perform(reply.commands);
  }

  /** Says whether the instance holds the object. */
  #step(instance: Instance, event: Event): boolean {
    const reply = this.#transact(instance, "step", event);
    if (reply.status === status.unopened) return false;
    this.#lost = "";
    if (!reply.busy) this.#holder.quiet();
    this.#owner.perform(reply.commands);
    return true;
  }

  #transact(instance: Instance, verb: "open" | "step", event: Event): Reply {
    const { now, transaction, sql } = this.#owner;
    const reply = this.#guard(instance, () =>
      transaction(() => decodeReply(instance[verb](this.place.handle, encodeOccurrence(now(), event), sql))),
    );
    if (reply.status === status.refused) throw new Error(`the module refused ${event.kind}: ${reply.error}`);
    return reply;
  }

  /** Where a transaction fails, storage goes back and memory may be ahead of it: the object leaves its place. */
  #guard<T>(instance: Instance, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof Trap) this.#lost = error.loss;
      this.place.leave(instance);
      throw error;
    }
  }
}
