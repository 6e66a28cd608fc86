// Performs the answers of the Go front door. Go decides what a request means; answer.go names the headers.
import { failed, forward, refuse } from "./forward.ts";
import { FrontDoor } from "./frontdoor.ts";
import { address, keyOf, type Question, question, type Target, target } from "./question.ts";
import { Remembered } from "./remembered.ts";
import { stamp } from "./until.ts";

/** The header that carries the claims: from Go, and to the object. */
const claimsHeader = "Tributary-Claims";
/** The header that carries the cookie of a link by which a person signs in to a server: from Go, and to the object. */
const linkHeader = "Tributary-Link";

type Env = Record<string, unknown>;
type Handler = (request: Request) => Promise<Response>;

/** What Go has answered. */
interface Answer {
  /** The binding and the name of the object that the request goes to, if it goes to one. */
  binding: string | null;
  name: string | null;
  /** Until when the request is authorized, in milliseconds since 1970; 0 has no end. */
  until: number;
  /** What the object is told of the sender, if anything. */
  claims: string | null;
  /** The cookie of a link, if the request has come back by one. */
  link: string | null;
  /** The close code of a refused upgrade, a space and the reason; percent-encoded, as the body is. */
  close: string | null;
  /** The answer over HTTP, which is the response itself. */
  status: number;
  body: string | null;
  /** The headers of the response. */
  headers: Headers;
}

/**
 * Makes the Worker's fetch handler, over the compiled Go program and the Worker's environment. The last argument is the
 * build's about.json, of which GET /tributary.json answers the agents that the environment has.
 */
export function serve(module: WebAssembly.Module, env: Env, about?: unknown): Handler {
  return answering(new FrontDoor(module, variables(env, about)), env);
}

/** Makes a fetch handler over a front door. What it remembers of the answers lives as long as the handler does. */
export function answering(door: { ask(asked: Question): Promise<Headers> }, env: Env): Handler {
  const remembered = new Remembered<Answer>();

  const ask = async (asked: Question): Promise<Answer> => {
    const now = Date.now();
    const key = keyOf(asked);
    const known = remembered.get(key, now);
    if (known) return known;
    const answer = read(await door.ask(asked));
    if (answer.binding) remembered.put(key, answer, answer.until, now);
    return answer;
  };

  return async (request) => {
    try {
      const at = target(request.url);
      return await perform(await ask(question(request, at)), request, at, env);
    } catch (error) {
      return failed("front door", error);
    }
  };
}

/** Reads an answer, whose headers without those for this file are the response's. */
function read(answer: Headers): Answer {
  const headers = new Headers(answer);
  const take = (key: string): string | null => {
    const value = headers.get(key);
    headers.delete(key);
    return value;
  };
  return {
    binding: take("Tributary-Binding"),
    name: take("Tributary-Name"),
    until: Number(take("Tributary-Until")),
    claims: take(claimsHeader),
    link: take(linkHeader),
    close: take("Tributary-Close"),
    status: Number(take("Tributary-Status")),
    body: take("Tributary-Body"),
    headers,
  };
}

function perform(answer: Answer, request: Request, at: Target, env: Env): Response | Promise<Response> {
  const { binding, name, until, close, status, body, headers } = answer;
  if (close) return refuse(decodeURIComponent(close), headers);
  if (!binding || !name) return new Response(body ? decodeURIComponent(body) : null, { status, headers });
  const told = tell(request, address(stamp(at, until)), { [claimsHeader]: answer.claims, [linkHeader]: answer.link });
  return forward(env[binding] as DurableObjectNamespace, name, told, headers);
}

/**
 * Makes the request that an object is sent: to a URL, and with what is known of the sender in place of what the client says
 * about that. Where nothing changes, the request stays what it is.
 */
function tell(request: Request, url: string, known: Record<string, string | null>): Request {
  const all = Object.entries(known);
  if (url === request.url && all.every(([name, value]) => value === request.headers.get(name))) return request;
  const told = new Request(url, request);
  for (const [name, value] of all) {
    if (value === null) told.headers.delete(name);
    else told.headers.set(name, value);
  }
  return told;
}

/** The variables that Go reads, and how those of a login of one's own begin. */
const readable = [
  "TRIBUTARY_ENV",
  "TRIBUTARY_TOKEN_SECRET",
  "TRIBUTARY_CORS",
  "TRIBUTARY_HOSTS",
  "TRIBUTARY_MCP",
  "TRIBUTARY_AUTHORIZATION_SERVERS",
  "TRIBUTARY_DEV",
];
const login = "LOGIN_";

/**
 * Lists the text variables that Go reads, the names of the Durable Object bindings, which are the agents, and the build's
 * about.json.
 */
export function variables(env: Env, about?: unknown): Record<string, string> {
  const agents = Object.keys(env).filter((key) => isNamespace(env[key]));
  const read: Record<string, string> = { TRIBUTARY_BINDINGS: agents.join() };
  if (about !== undefined) read.TRIBUTARY_ABOUT = JSON.stringify(about);
  for (const [key, value] of Object.entries(env)) {
    if (typeof value === "string" && (readable.includes(key) || key.startsWith(login))) read[key] = value;
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
