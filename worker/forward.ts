// The two ways to act on a decision: forward the request to its object, or refuse an upgrade.

/**
 * The number of attempts of a call that fails because of the platform, and the shortest delay before a retry, in ms.
 */
const attempts = 3;
const wait = 100;

/** Forwards the request itself to an object, with its body and its socket, and adds headers to the response. */
export async function forward(
  namespace: DurableObjectNamespace,
  name: string,
  request: Request,
  headers: Headers,
): Promise<Response> {
  try {
    return withHeaders(await retried(() => namespace.getByName(name).fetch(request), request.body === null), headers);
  } catch (error) {
    return withHeaders(failed("agent", error), headers);
  }
}

/** Accepts an upgrade and closes the socket at once. The order is a close code, a space and the reason. */
export function refuse(order: string, headers: Headers): Response {
  const space = order.indexOf(" ");
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.close(Number(order.slice(0, space)), order.slice(space + 1));
  return new Response(null, { status: 101, webSocket: client, headers });
}

/** Logs an error and makes a response that does not reveal its cause. Clients retry a failed upgrade. */
export function failed(what: string, error: unknown): Response {
  console.error(JSON.stringify({ level: "error", message: `${what} failed`, error: String(error) }));
  const { retryable, overloaded } = platform(error);
  return new Response(`${what} failed`, { status: retryable || overloaded ? 503 : 500 });
}

/**
 * Makes up to three attempts of a call. A request with a body has only one, because the first may have consumed the
 * body.
 */
export async function retried<T>(call: () => Promise<T>, repeatable: boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const { retryable, overloaded } = platform(error);
      if (!repeatable || attempt === attempts || !retryable || overloaded) throw error;
      const delay = wait * 2 ** (attempt - 1) * (1 + Math.random());
      await new Promise((wake) => setTimeout(wake, delay));
    }
  }
}

/** Reads what the platform says about an error of a Durable Object's stub. */
function platform(error: unknown): { retryable: boolean; overloaded: boolean } {
  const { retryable, overloaded } = Object(error) as { retryable?: unknown; overloaded?: unknown };
  return { retryable: retryable === true, overloaded: overloaded === true };
}

/** Adds headers to a response. An upgrade is returned unchanged, because a copy would lose its socket. */
function withHeaders(response: Response, headers: Headers): Response {
  if (response.webSocket || [...headers].length === 0) return response;
  const copy = new Response(response.body, response);
  for (const [key, value] of headers) copy.headers.set(key, value);
  return copy;
}
