// The classes of the conformance kit's guest that live in facets.
import module from "../../../build/tck/guest.wasm";
import { TimedObject } from "./time.ts";

export class Source extends TimedObject {
  static override module = module;
  static override agent = "Source";
}

/** Another class, for the same slots. */
export class Spare extends TimedObject {
  static override module = module;
  static override agent = "Source";
}
