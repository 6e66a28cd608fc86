// The calls by other objects that an object has not answered yet.
import type { Command, Of } from "./abi.ts";
import { copyOf } from "./facets.ts";

export class Answers {
  readonly #waiting = new Map<string, PromiseWithResolvers<Uint8Array>>();

  /** Resolves to the answer to a call when the object gives it. */
  wait(call: string): Promise<Uint8Array> {
    const waiting = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(call, waiting);
    return waiting.promise;
  }

  give({ call, data, error }: Of<Command, "Answer">): void {
    if (error === "") this.#waiting.get(call)?.resolve(copyOf(data));
    this.fail(call, error);
  }

  /** Fails a call that the object will not answer. */
  fail(call: string, error: string): void {
    this.#waiting.get(call)?.reject(new Error(error));
    this.#waiting.delete(call);
  }

  get busy(): boolean {
    return this.#waiting.size > 0;
  }

  abort(except: string): void {
    for (const call of this.#waiting.keys()) if (call !== except) this.fail(call, "the object did not live to answer");
  }
}
