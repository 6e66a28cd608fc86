// One object's life in the module: every event is one transaction, and the object is opened where it is not there.
import { type Command, type Event, type Reply, status } from "./abi.ts";
import { decodeReply, encodeOccurrence } from "./codec.ts";
import type { Containment } from "./containment.ts";
import type { Holder } from "./holder.ts";
import { type Instance, type Loss, type Sql, Trap } from "./instance.ts";
import { type Lodger, Place } from "./place.ts";

/** What a seat needs of the object's host. */
export interface Owner extends Lodger {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs a function in one synchronous transaction, which is rolled back when it throws. */
  transaction<T>(run: () => T): T;
  sql: Sql;
  /** Ends what an earlier in-memory part began, and tells the first event of a new one. */
  opened(lost: Loss): Event;
  /** Performs commands, and says whether none has failed; their event has committed. */
  perform(commands: Command[]): boolean;
}

export class Seat {
  readonly place: Place;
  readonly #containment: Containment;
  /** The root that the object is, or belongs to. */
  readonly #tree: string;
  readonly #owner: Owner;
  /** Whose instance the object was opened in. */
  #holder: Holder;
  /** Whether leaving the instance would have interrupted something when the last event was over. */
  #busy = false;
  /** What the object's own last event did to the instance. */
  #lost: Loss = "";

  constructor(containment: Containment, tree: string, owner: Owner) {
    this.#containment = containment;
    this.#tree = tree;
    this.#owner = owner;
    this.#holder = containment.holder(tree);
    this.place = new Place(owner);
  }

  /** Whether the object is where its next event happens: in the instance that is handed out, or in the middle of something. */
  get awake(): boolean {
    const { instance } = this.place;
    if (!instance || instance.dead) return false;
    return this.#busy || instance === this.#containment.holder(this.#tree).current;
  }

  /**
   * Lets an event happen; the object is opened first where it is not in the instance of the day. What the event tells of
   * may be gone by then. It throws where the event was lost: nothing of it has happened, and the next one can go on.
   */
  deliver(event: Event, gone: () => boolean = () => false): void {
    const instance = this.#enter();
    if (!gone() && !this.#step(instance, event)) {
      this.#open(instance);
      if (!gone() && !this.#step(instance, event))
        throw new Error("the module does not keep the object that it has just opened");
    }
    this.#settle(instance);
  }

  /** Opens the object, though nothing happens to it, unless it is there. */
  open(): void {
    this.#settle(this.#enter());
  }

  /** The instance of the object's next event, with the object open there. */
  #enter(): Instance {
    this.#containment.tidy(this.#owner.now());
    const { instance } = this.place;
    if (instance && this.awake) return instance;
    this.#leave();
    this.#holder = this.#containment.holder(this.#tree);
    const next = this.#holder.get();
    this.#open(next);
    return next;
  }

  #open(instance: Instance): void {
    this.place.forget();
    const reply = this.#transact(instance, "open", this.#owner.opened(this.#lost));
    this.#lost = "";
    this.place.enter(instance);
    this.#perform(reply);
  }

  /**
   * Says whether the instance holds the object. The in-memory part takes it for granted that the commands of its last event
   * were performed. So it is dropped where one of them has failed, and its next life repeats what no row says to be done.
   * Failed commands of an Opened do not count: they could fail in each life.
   */
  #step(instance: Instance, event: Event): boolean {
    const reply = this.#transact(instance, "step", event);
    if (reply.status === status.unopened) return false;
    this.#lost = "";
    if (!this.#perform(reply)) this.#leave(instance);
    return true;
  }

  #perform({ commands, busy }: Reply): boolean {
    const all = this.#owner.perform(commands);
    this.#busy = busy || this.#owner.busy();
    return all;
  }

  /**
   * Leaves a memory that has grown too large. Where the instance had to end at once, the object is told so as if the platform
   * had ended it, and when its next event comes: at once could be for ever.
   */
  #settle(instance: Instance): void {
    this.#containment.weigh(this.#tree, this.#holder, this.#owner.now());
    if (!instance.dead) return;
    this.#lost = "memory";
    this.place.forget();
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
      if (error instanceof Trap) {
        this.#lost = error.loss;
        this.#containment.died(this.#tree, this.#holder, this.#owner.now());
      }
      this.#leave(instance);
      throw error;
    }
  }

  /** Drops the in-memory part from an instance. One that traps as it is dropped counts like any other. */
  #leave(instance = this.place.instance): void {
    try {
      this.place.leave(instance);
    } catch {
      this.#containment.died(this.#tree, this.#holder, this.#owner.now());
    }
  }
}
