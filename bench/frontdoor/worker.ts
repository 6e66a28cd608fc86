// One agent behind four doors, told apart by the header x-door.
import module from "../../build/frontdoor.wasm";
import { FrontDoor } from "../../worker/frontdoor";
import { serve, variables } from "../../worker/serve";

export { Assistant } from "../../worker/testdata/assistant";

type Env = Record<string, unknown>;
type Door = (request: Request, env: Env) => Promise<Response>;

const secret = "0123456789abcdef0123456789abcdef";
const reused = serve(module);
const signed = serve(module);

const doors: Record<string, Door> = {
  none: async (request, env) => {
    const [, prefix, agent, name] = new URL(request.url).pathname.split("/");
    if (prefix !== "agents" || agent !== "assistant" || !name) return new Response("Not found", { status: 404 });
    return (env.Assistant as DurableObjectNamespace).getByName(name).fetch(request);
  },
  reused,
  signed: (request, env) => signed(request, { ...env, TRIBUTARY_ENV: "", TRIBUTARY_TOKEN_SECRET: secret }),
  fresh: (request, env) => serve(module)(request, env),
  inside,
};

const asked = new Map<string, FrontDoor>();

/** Asks one door as often as x-times says, within one request, so that the network does not count. */
async function inside(request: Request, env: Env): Promise<Response> {
  const fresh = request.headers.get("x-inside") === "fresh";
  const vars = { ...variables(env), TRIBUTARY_ENV: "", TRIBUTARY_TOKEN_SECRET: secret };
  const door = asked.get("reused") ?? new FrontDoor(module, vars);
  asked.set("reused", door);
  for (let n = Number(request.headers.get("x-times")); n > 0; n--) {
    await (fresh ? new FrontDoor(module, vars) : door).ask(request);
  }
  return new Response("done");
}

export default {
  fetch: (request: Request, env: Env) =>
    (doors[request.headers.get("x-door") ?? ""] ?? (doors.none as Door))(request, env),
};
