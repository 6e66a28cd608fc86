// The timers of an object, which live in memory only.
import type { Deliver } from "./deliver.ts";

export class Timers {
  readonly #deliver: Deliver;
  readonly #running = new Map<string, () => void>();

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /**
   * Starts a timer. A timer of 0 fires after the socket messages that wait already. In workerd no other way to let them in
   * is faster than setTimeout (60 us): scheduler.wait takes longer, and message channels and microtasks let nothing in.
   */
  start(timer: string, after: number): void {
    this.stop(timer);
    let stopped = false;
    const id = setTimeout(() => {
      const done = () => {
        if (this.#running.get(timer) === stop) this.#running.delete(timer);
      };
      const waits = this.#deliver({ kind: "TimerFired", timer }, () => stopped);
      if (waits) void waits.then(done);
      else done();
    }, after);
    const stop = () => {
      stopped = true;
      clearTimeout(id);
    };
    this.#running.set(timer, stop);
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  stop(timer: string): void {
    this.#running.get(timer)?.();
    this.#running.delete(timer);
  }

  abort(): void {
    for (const timer of this.#running.keys()) this.stop(timer);
  }
}
