// One agent behind six doors, told apart by the header x-door.
import "../../.tributary/wasm_exec.js";
import { env } from "cloudflare:workers";
import module from "../../.tributary/frontdoor.wasm";
import { FrontDoor } from "../../worker/frontdoor.ts";
import { question, target } from "../../worker/question.ts";
import { serve, variables } from "../../worker/serve.ts";

export { Assistant } from "../../worker/testdata/assistant.ts";

type Door = (request: Request) => Promise<Response>;

const open: Record<string, unknown> = { ...env };
const closed = { ...open, TRIBUTARY_ENV: "", TRIBUTARY_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };

const doors: Record<string, Door> = {
  none: async (request) => {
    const [, prefix, agent, name] = new URL(request.url).pathname.split("/");
    if (prefix !== "agents" || agent !== "assistant" || !name) return new Response("Not found", { status: 404 });
    return (open.Assistant as DurableObjectNamespace).getByName(name).fetch(request);
  },
  reused: serve(module, open),
  signed: serve(module, closed),
  remembered: serve(module, closed),
  started: (request) => serve(module, open)(request),
  inside,
};

const asked = new FrontDoor(module, variables(closed));

/** Asks a front door as often as x-times says, within one request, so that the network does not count. */
async function inside(request: Request): Promise<Response> {
  for (let n = Number(request.headers.get("x-times")); n > 0; n--)
    await asked.ask(question(request, target(request.url)));
  return new Response("done");
}

export default {
  fetch: (request: Request) => (doors[request.headers.get("x-door") ?? ""] ?? (doors.none as Door))(request),
};
