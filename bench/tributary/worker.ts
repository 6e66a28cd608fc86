// The shipped Worker, counting. What its time is measured of is the shipped one itself.
import { env } from "cloudflare:workers";
import frontdoor from "../../build/frontdoor.wasm";
import { TributaryObject } from "../../wasm/shim";
import { containmentOf } from "../../wasm/shim/containment.ts";
import type { Cost } from "../../wasm/shim/cost.ts";
import * as shipped from "../../worker/classes.ts";
import { serve } from "../../worker/serve.ts";
import { count, counted } from "../count.ts";

type Env = Record<string, unknown>;

/** How many milliseconds one of the objects' takes. In slow motion even a slow machine is in time for everything. */
const slow = Number((env as Env).SLOW ?? 1);
const start = Date.now();
const setTimer = setTimeout;
Object.assign(globalThis, { setTimeout: (run: () => void, after = 0) => setTimer(run, after * slow) });

const costs = new Set<Cost>(); // an object that comes back has its earlier one

/** A class whose objects are counted twice: by the bench, and by the shim. */
function counting(Base: typeof shipped.Assistant): typeof shipped.Assistant {
  return class extends Base {
    static override clock() {
      return {
        now: () => start + Math.floor((Date.now() - start) / slow),
        platform: (at: number) => start + (at - start) * slow,
      };
    }

    constructor(state: DurableObjectState, env: Env) {
      super(state, env);
      count(state, Base.agent);
      costs.add(this.cost);
    }
  };
}

export const Assistant = counting(shipped.Assistant);
export const Researcher = counting(shipped.Researcher);

const door = serve(frontdoor, { ...env });

export default {
  fetch(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/counts") return Response.json(counted());
    if (pathname === "/costs") return Response.json([...costs]);
    if (pathname === "/memory") return Response.json(containmentOf(TributaryObject.module, false).pool("").size);
    return door(request);
  },
};
