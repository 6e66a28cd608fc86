// A Worker around the module of the scripts, for tests with the published client. It has an object for each policy that an
// agent can have for messages during a turn.
import "../../../.tributary/wasm_exec.js";
import { env } from "cloudflare:workers";
import frontdoor from "../../../.tributary/frontdoor.wasm";
import module from "../../../build/tck/chat.wasm";
import engine from "../../../internal/embedded/quickjs/quickjs.wasm";
import { serve } from "../../../worker/serve.ts";
import { ModuleObject } from "../../shim/object.ts";
import { prepare } from "../../shim/prepare.ts";
import { provideEngine } from "../../shim/scripts.ts";

abstract class Conversation extends ModuleObject {
  static override module = module;
}

export class Latest extends Conversation {
  static override agent = "Latest";
}

export class Merging extends Conversation {
  static override agent = "Merging";
}

export class Dropping extends Conversation {
  static override agent = "Dropping";
}

export class Debouncing extends Conversation {
  static override agent = "Debouncing";
}

provideEngine(module, engine);
prepare(module, Latest.agent);

export default { fetch: serve(frontdoor, { ...env }) } satisfies ExportedHandler;
