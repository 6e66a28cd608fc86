// The host in workerd. A Worker's classes extend TributaryObject; the static field agent names their class in Go.
import module from "./module.ts";
import { ModuleObject } from "./object.ts";

export abstract class TributaryObject extends ModuleObject {
  static override module = module;
}
