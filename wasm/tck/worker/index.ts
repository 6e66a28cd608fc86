// A Worker around the conformance kit's guest: the path's first segment names the object, the rest is what it shall do. An
// object whose name begins with native is one without the module.

import module from "../../../build/tck/guest.wasm";
import { ModuleObject } from "../../shim/object.ts";

export { Models } from "./models.ts";
export { Native, Reader } from "./native.ts";
export { Source, Spare } from "./source.ts";

export class Probe extends ModuleObject {
  static override module = module;
  static override agent = "Probe";
}

interface Env {
  Probe: DurableObjectNamespace<Probe>;
  Reader: DurableObjectNamespace;
}

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, name = "", ...rest] = url.pathname.split("/");
    url.pathname = rest.join("/");
    const binding = name.startsWith("native") ? env.Reader : env.Probe;
    return binding.getByName(name).fetch(new Request(url, request));
  },
} satisfies ExportedHandler<Env>;
