// The Durable Object classes that wrangler.jsonc binds, one an agent.
import { TributaryObject } from "../wasm/shim";

export class Assistant extends TributaryObject {
  static agent = "Assistant";
}
