// The host in workerd. A Worker's classes extend TributaryObject; the static field agent names their class in Go.
import module from "./module.ts";
import { ModuleObject } from "./object.ts";
import * as preparation from "./prepare.ts";

export abstract class TributaryObject extends ModuleObject {
  static override module = module;
}

/** Starts the module before the first request. The agent is the one that is opened first, most often. */
export function prepare(agent: string): void {
  preparation.prepare(module, agent);
}
