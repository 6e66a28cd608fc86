// A Worker around the conformance kit's guest: the path's first segment names the object, the rest is what it shall do.

import module from "../../../build/tck/guest.wasm";
import { ModuleObject } from "../../shim/object.ts";

export class Probe extends ModuleObject {
  static override module = module;
  static override agent = "Probe";
}

interface Env {
  Probe: DurableObjectNamespace<Probe>;
}

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, name = "", ...rest] = url.pathname.split("/");
    url.pathname = rest.join("/");
    return env.Probe.getByName(name).fetch(new Request(url, request));
  },
} satisfies ExportedHandler<Env>;
