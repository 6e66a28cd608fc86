// The shipped Worker, counting. What its time is measured of is the shipped one itself.
import "../../.tributary/wasm_exec.js";
import { env } from "cloudflare:workers";
import module from "../../.tributary/agents.wasm";
import frontdoor from "../../.tributary/frontdoor.wasm";
import engine from "../../internal/embedded/quickjs/quickjs.wasm";
import { containmentOf } from "../../wasm/shim/containment.ts";
import type { Cost } from "../../wasm/shim/cost.ts";
import { ModuleObject } from "../../wasm/shim/object.ts";
import { prepare } from "../../wasm/shim/prepare.ts";
import { provideEngine } from "../../wasm/shim/scripts.ts";
import { serve } from "../../worker/serve.ts";
import { count, counted } from "../count.ts";

type Env = Record<string, unknown>;

/** How many milliseconds one of the objects' takes. In slow motion even a slow machine is in time for everything. */
const slow = Number((env as Env).SLOW ?? 1);
const start = Date.now();
const setTimer = setTimeout;
Object.assign(globalThis, { setTimeout: (run: () => void, after = 0) => setTimer(run, after * slow) });

const costs = new Set<Cost>(); // an object that comes back has its earlier one

/** An object that is counted twice: by the bench, and by the shim. */
abstract class Counted extends ModuleObject {
  static override module = module;
  static override clock() {
    return {
      now: () => start + Math.floor((Date.now() - start) / slow),
      platform: (at: number) => start + (at - start) * slow,
    };
  }

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    count(state, (this.constructor as typeof ModuleObject).agent);
    costs.add(this.cost);
  }
}

export class Assistant extends Counted {
  static override agent = "Assistant";
}

export class Researcher extends Counted {
  static override agent = "Researcher";
}

provideEngine(module, engine);
prepare(module, Assistant.agent);

const door = serve(frontdoor, { ...env });

export default {
  fetch(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/counts") return Response.json(counted());
    if (pathname === "/costs") return Response.json([...costs]);
    if (pathname === "/memory") return Response.json(containmentOf(module, false).pool("").size);
    return door(request);
  },
};
