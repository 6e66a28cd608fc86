// What an object is told of a request.

/** Path and query, as they came. */
export function target(request: Request): string {
  return request.url.slice(new URL(request.url).origin.length);
}

/** Whether a request asks for a WebSocket. */
export function isUpgrade(request: Request): boolean {
  return request.headers.get("Upgrade")?.toLowerCase() === "websocket";
}

/** How much is read of what is too large: a client that is answered while it writes may never see the answer. */
const patience = 16 << 20;

/** The whole body, null where there is none, or undefined where it is larger than the limit: then nothing of it is kept. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | null | undefined> {
  if (!request.body) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body) {
    length += part.length;
    if (length > limit + patience) break;
    if (length > limit) parts.length = 0;
    else parts.push(part);
  }
  return length > limit ? undefined : concat(parts);
}

/** The bytes of all parts, in a buffer of their own. */
export function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
