// The classes of the conformance kit's guest that live in facets.
import module from "../../../build/tck/guest.wasm";
import { ModuleObject } from "../../shim/object.ts";

export class Source extends ModuleObject {
  static override module = module;
  static override agent = "Source";
}

/** Another class, for the same slots. */
export class Spare extends ModuleObject {
  static override module = module;
  static override agent = "Source";
}
