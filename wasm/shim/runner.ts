// Runs one object in the module: every event is one transaction, and the object is opened first where it is not open.
import { announced, type Command, type Event, type Reply, resumed, status, type Value } from "./abi.ts";
import { decodeReply, encodeOccurrence } from "./codec.ts";
import type { Containment } from "./containment.ts";
import { type Instance, type Loss, type Sql, Trap } from "./instance.ts";
import type { InstancePool } from "./pool.ts";
import { type RegisteredObject, Registration } from "./registration.ts";

/**
 * Says that the module has not opened the object, because a newer version of it wrote the storage. Nothing was written, and
 * the object can be asked again when the Worker has been deployed anew.
 */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** What a runner needs from the object's host. */
export interface ObjectHost extends RegisteredObject {
  /** The time in milliseconds since 1970. */
  now(): number;
  /** Runs a function in one synchronous transaction, which is rolled back when it throws. */
  transaction<T>(run: () => T): T;
  sql: Sql;
  /** Answers the import cost, in rows. */
  costs(): Value[][];
  /** Ends all work of an earlier in-memory part except what arrives, and returns the first event of a new one. */
  opened(lost: Loss, arriving: Event | undefined): Event;
  /** Resolves when all that was committed is on the disk. A host whose commits are on the disk leaves it out. */
  synced?(): Promise<void>;
  /** Performs the commands of a committed event, and says whether all succeeded. */
  perform(commands: Command[]): boolean;
}

/** A delivery. It stops where it has to wait for the disk. */
type Delivery<T = void> = Generator<undefined, T>;

/** Delivers events to one object, in the instance that the containment assigns to its tree. */
export class ObjectRunner {
  readonly registration: Registration;
  readonly #containment: Containment;
  /** The id of the object's root. */
  readonly #tree: string;
  readonly #host: ObjectHost;
  /** The pool of the instance that the object was opened in. */
  #pool: InstancePool;
  /** Whether leaving the instance after the last event would have interrupted something. */
  #busy = false;
  /** How the object's own last event ended its in-memory part, if it did. */
  #lost: Loss = "";
  /** Whether the next event is announced. */
  #watched = false;
  /** The deliveries that wait, the last of them. It never fails. */
  #line: Promise<void> | undefined;

  constructor(containment: Containment, tree: string, host: ObjectHost) {
    this.#containment = containment;
    this.#tree = tree;
    this.#host = host;
    this.#pool = containment.pool(tree);
    this.registration = new Registration(host);
  }

  /**
   * Whether the object is open where its next event happens: in the current instance of its pool, or in an older one where
   * it is busy.
   */
  get awake(): boolean {
    const { instance } = this.registration;
    if (!instance || instance.dead) return false;
    return this.#busy || instance === this.#containment.pool(this.#tree).current;
  }

  /**
   * Delivers an event. The object is opened first if it is not open in the current instance. The event is dropped if its
   * cause is gone by then. It throws if the event was lost: then the event has had no effect, and the next one can follow.
   * It returns a promise if the event is announced, or comes behind one that is, and fails by it then.
   */
  deliver(event: Event, gone: () => boolean = () => false): Promise<void> | undefined {
    return this.#begin(() => this.#delivery(event, gone));
  }

  /** Opens the object without an event, unless it is open. */
  open(): Promise<void> | undefined {
    return this.#begin(() => this.#opening());
  }

  /** Makes a delivery behind those that wait: at once and to its end, unless it has to wait itself. */
  #begin(make: () => Delivery): Promise<void> | undefined {
    const { synced } = this.#host;
    const end = async (delivery: Delivery) => {
      while (!delivery.next().done) await synced?.();
    };
    let made: Promise<void>;
    if (this.#line) made = this.#line.then(() => end(make()));
    else {
      const delivery = make();
      if (delivery.next().done) return undefined;
      made = Promise.resolve(synced?.()).then(() => end(delivery));
    }
    const line = made
      .catch(() => {}) // the caller is told
      .then(() => {
        if (this.#line === line) this.#line = undefined;
      });
    this.#line = line;
    return made;
  }

  *#delivery(event: Event, gone: () => boolean): Delivery {
    let instance = yield* this.#enter(event);
    if (!gone()) {
      let happened = yield* this.#announced(instance, event, gone);
      if (!happened) {
        this.registration.forget(); // the module has dropped it
        instance = yield* this.#enter(event);
        if (!gone()) happened = yield* this.#announced(instance, event, gone);
        if (!happened && !gone()) throw new Error("the module does not keep the object that it has just opened");
      }
      instance = happened ?? instance;
    }
    this.#checkMemory(instance);
  }

  *#opening(): Delivery {
    this.#checkMemory(yield* this.#enter());
  }

  /**
   * Delivers an event, behind its announcement if the object is watched, and returns the instance where it happened, or
   * undefined if the object was not open. The event follows when the announcement is on the disk. An event whose cause is
   * gone by then is replaced, because the announcement ends with the next event.
   */
  *#announced(instance: Instance, event: Event, gone: () => boolean = () => false): Delivery<Instance | undefined> {
    if (this.#watched) {
      if (!this.#step(instance, { kind: "TimerFired", timer: announced })) return undefined;
      if (this.#host.synced) yield undefined;
      if (instance.dead) {
        this.#lost ||= "between";
        return yield* this.#announced(yield* this.#enter(event), event, gone);
      }
    }
    return this.#step(instance, gone() ? { kind: "TimerFired", timer: resumed } : event) ? instance : undefined;
  }

  /** Returns the instance of the object's next event, with the object open there. */
  *#enter(arriving?: Event): Delivery<Instance> {
    this.#containment.expire(this.#host.now());
    const { instance } = this.registration;
    if (instance && this.awake) return instance;
    this.#leave();
    this.#pool = this.#containment.pool(this.#tree);
    const next = this.#pool.get();
    yield* this.#open(next, arriving);
    return next.dead ? yield* this.#enter(arriving) : next;
  }

  *#open(instance: Instance, arriving: Event | undefined): Delivery {
    this.registration.forget();
    const reply = this.#transact(instance, "open", this.#host.opened(this.#lost, arriving));
    this.#lost = "";
    this.registration.enter(instance);
    this.#perform(reply);
    if (!this.#watched) return;
    if (!this.#step(instance, { kind: "TimerFired", timer: announced })) return;
    if (this.#host.synced) yield undefined;
    if (instance.dead) this.#lost ||= "between";
    else this.#step(instance, { kind: "TimerFired", timer: resumed });
  }

  /**
   * Delivers an event to an instance, and says whether the object was open there. The in-memory part assumes that the commands
   * of its last event were performed. So it is dropped when a command has failed, and the next one repeats what no row records
   * as done. Failed commands of an Opened do not count, because they could fail every time.
   */
  #step(instance: Instance, event: Event): boolean {
    const reply = this.#transact(instance, "step", event);
    if (reply.status === status.unopened) return false;
    this.#lost = "";
    if (!this.#perform(reply)) this.#leave(instance);
    return true;
  }

  #perform({ commands, busy, status: outcome }: Reply): boolean {
    this.#watched = outcome === status.watched;
    const all = this.#host.perform(commands);
    this.#busy = busy || this.#host.busy();
    return all;
  }

  /**
   * Checks the memory after an event. If the instance had to end at once, the object is opened at its next event, with the
   * loss "memory". Opening it immediately could repeat for ever.
   */
  #checkMemory(instance: Instance): void {
    this.#containment.checkMemory(this.#tree, this.#pool, this.#host.now());
    if (!instance.dead) return;
    this.#lost = "memory";
    this.registration.forget();
  }

  #transact(instance: Instance, verb: "open" | "step", event: Event): Reply {
    const { now, transaction, sql, costs } = this.#host;
    const reply = this.#guard(instance, () =>
      transaction(() => {
        const bytes = instance[verb](this.registration.handle, encodeOccurrence(now(), event), sql, costs);
        const decoded = decodeReply(bytes);
        if (decoded.status === status.newer) throw new RefusedError(decoded.error);
        return decoded;
      }),
    );
    if (reply.status === status.refused) throw new Error(`the module refused ${event.kind}: ${reply.error}`);
    return reply;
  }

  /** Drops the in-memory part if a transaction fails: storage is rolled back, and the memory may be ahead of it. */
  #guard<T>(instance: Instance, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof Trap) {
        this.#lost = error.loss;
        this.#containment.died(this.#tree, this.#pool, this.#host.now());
      }
      this.#leave(instance);
      throw error;
    }
  }

  /** Drops the in-memory part from an instance. A trap during the drop counts like any other. */
  #leave(instance = this.registration.instance): void {
    try {
      this.registration.leave(instance);
    } catch {
      this.#containment.died(this.#tree, this.#pool, this.#host.now());
    }
  }
}
