// The clock of the conformance kit's objects, which tests move.
import { ModuleObject } from "../../shim/object.ts";

/** How far the clock of all objects is ahead of the platform's, in milliseconds. */
let ahead = 0;

/** Moves the clock of all objects forward. */
export function pass(ms: number): void {
  ahead += ms;
}

/** The base of the kit's objects. */
export abstract class TimedObject extends ModuleObject {
  static override clock(env: Record<string, unknown>) {
    const clock = ModuleObject.clock(env);
    return { now: () => clock.now() + ahead, platform: (at: number) => clock.platform(at - ahead) };
  }
}
