// Performs the answers of the Go front door. Go decides what a request means; answer.go names the headers.
import { asking, failed, forward, refuse } from "./forward";
import { FrontDoor } from "./frontdoor";

type Env = Record<string, unknown>;

/** Makes the Worker's fetch handler, over the compiled Go program. */
export function serve(module: WebAssembly.Module): (request: Request, env: Env) => Promise<Response> {
  let door: FrontDoor | undefined;
  return async (request, env) => {
    door ??= new FrontDoor(module, variables(env));
    try {
      return await perform(await door.ask(request), request, env);
    } catch (error) {
      return failed("front door", error);
    }
  };
}

function perform(answer: Headers, request: Request, env: Env): Response | Promise<Response> {
  const headers = new Headers(answer);
  const take = (key: string): string | null => {
    const value = headers.get(key);
    headers.delete(key);
    return value;
  };
  const binding = take("Tributary-Binding");
  const name = take("Tributary-Name");
  const query = take("Tributary-Query");
  const close = take("Tributary-Close");
  const status = Number(take("Tributary-Status"));
  const body = take("Tributary-Body");
  if (close) return refuse(close, headers);
  if (binding && name) return forward(env[binding] as DurableObjectNamespace, name, asking(request, query), headers);
  return new Response(body ? decodeURIComponent(body) : null, { status, headers });
}

/** Lists the text variables that Go reads, and the names of the Durable Object bindings, which are the agents. */
export function variables(env: Env): Record<string, string> {
  const agents = Object.keys(env).filter((key) => isNamespace(env[key]));
  const read: Record<string, string> = { TRIBUTARY_BINDINGS: agents.join() };
  for (const key of ["TRIBUTARY_ENV", "TRIBUTARY_TOKEN_SECRET", "TRIBUTARY_CORS", "TRIBUTARY_HOSTS"]) {
    const value = env[key];
    if (typeof value === "string") read[key] = value;
  }
  return read;
}

/**
 * Says whether a binding is a Durable Object namespace, by its prototype. A service binding seems to have every
 * property.
 */
function isNamespace(binding: unknown): boolean {
  if (typeof binding !== "object" || binding === null) return false;
  return "idFromName" in Object.getPrototypeOf(binding);
}
