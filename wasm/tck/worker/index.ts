// A Worker around the conformance kit's guest. The path's first segment names the object, and the rest is its order. An object
// whose name begins with native does not use the module. /pass/1000 moves the clock of all objects by a second.

import module from "../../../build/tck/guest.wasm";
import { prepare } from "../../shim/prepare.ts";
import { pass, TimedObject } from "./time.ts";

export { Models } from "./models.ts";
export { Native, Reader } from "./native.ts";
export { Source, Spare } from "./source.ts";

export class Probe extends TimedObject {
  static override module = module;
  static override agent = "Probe";

  constructor(state: DurableObjectState, env: Record<string, unknown>) {
    super(state, env);
    if (state.id.name === "without-alarm") state.storage.setAlarm = () => Promise.reject(new Error("no alarm today"));
    if (state.id.name === "uncommitted") failOnce(state.storage, 4);
  }
}

/** Makes one transaction fail at its commit. */
function failOnce(storage: DurableObjectStorage, which: number): void {
  const transact = storage.transactionSync.bind(storage);
  let n = 0;
  storage.transactionSync = (run) =>
    transact(() => {
      const result = run();
      if (++n === which) throw new Error("no room today");
      return result;
    });
}

// Every isolate starts with the same seeds, as if Math.random had been guessed. What is drawn later must differ nevertheless.
const { random } = Math;
Math.random = () => 0.5;
prepare(module, Probe.agent);
Math.random = random;

interface Env {
  Probe: DurableObjectNamespace<Probe>;
  Reader: DurableObjectNamespace;
}

/** Calls the object's method signal, as a Workflow would, and answers what it has returned. */
async function signalled(stub: DurableObjectStub<Probe>, given: Parameters<Probe["signal"]>): Promise<Response> {
  return Response.json(await stub.signal(...given).catch(String));
}

function passed(ms: number): Response {
  pass(ms);
  return new Response(`${ms} ms`);
}

export default {
  fetch(request, env) {
    const url = new URL(request.url);
    const [, name = "", ...rest] = url.pathname.split("/");
    const signal = url.searchParams.get("signal");
    if (signal !== null) return signalled(env.Probe.getByName(name), JSON.parse(signal));
    if (name === "pass") return passed(Number(rest[0]));
    url.pathname = rest.join("/");
    const binding = name.startsWith("native") ? env.Reader : env.Probe;
    return binding.getByName(name).fetch(new Request(url, request));
  },
} satisfies ExportedHandler<Env>;
