// The time of the conformance kit's objects, which its tests move while they run.
import { ModuleObject } from "../../shim/object.ts";

/** How far it is ahead of the platform's, in milliseconds: for all objects of the isolate. */
let ahead = 0;

/** Moves the time of all objects on. */
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
