// The classes of the objects, each under the name that it has in Go. wrangler.jsonc binds the roots; helpers live in their
// parents and need no binding, only to be exported.
import { TributaryObject } from "../wasm/shim";

export class Assistant extends TributaryObject {
  static agent = "Assistant";
}

export class Researcher extends TributaryObject {
  static agent = "Researcher";
}

export class Planner extends TributaryObject {
  static agent = "Planner";
}
