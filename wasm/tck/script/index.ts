// A Worker around the conformance kit's module that runs scripts. The path's first segment names the object.
import module from "../../../build/tck/script.wasm";
import engine from "../../../internal/embedded/quickjs/quickjs.wasm";
import { ModuleObject } from "../../shim/object.ts";
import { prepare } from "../../shim/prepare.ts";
import { provideEngine } from "../../shim/scripts.ts";

export class Runner extends ModuleObject {
  static override module = module;
  static override agent = "Runner";
}

provideEngine(module, engine);
prepare(module, Runner.agent);

interface Env {
  Runner: DurableObjectNamespace<Runner>;
}

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, name = "", ...rest] = url.pathname.split("/");
    url.pathname = rest.join("/");
    return env.Runner.getByName(name).fetch(new Request(url, request));
  },
} satisfies ExportedHandler<Env>;
