// The parts of a request that an object is given.

/** The path and query of a request, unchanged. */
export function target(request: Request): string {
  return request.url.slice(new URL(request.url).origin.length);
}

/** Whether a request asks for a WebSocket. */
export function isUpgrade(request: Request): boolean {
  return request.headers.get("Upgrade")?.toLowerCase() === "websocket";
}

/**
 * How many bytes of a too large body are read and discarded. A client that is answered while it still writes may never
 * see the answer.
 */
const maxDiscarded = 16 << 20;

/** Reads the whole body; null where there is none, undefined where it is larger than the limit. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | null | undefined> {
  if (!request.body) return null;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body) {
    length += part.length;
    if (length > limit + maxDiscarded) break;
    if (length > limit) parts.length = 0;
    else parts.push(part);
  }
  return length > limit ? undefined : concat(parts);
}

/** Copies the bytes of all parts into one buffer. */
export function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
