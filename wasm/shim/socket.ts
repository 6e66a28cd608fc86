// The sockets of an object, which the platform keeps while the object hibernates. A socket's first tag is its id. A socket
// with claims has a second tag, which says so, and the claims as its attachment.

const claimed = "claims";

/** Reads the claims of a socket with some tags, or "". Nothing is read for a socket that has none. */
export function claimsOf(socket: Pick<WebSocket, "deserializeAttachment">, tags: string[]): string {
  return tags.length > 1 ? String(socket.deserializeAttachment()) : "";
}

/** Lists the ids of the open sockets, except one. */
export function connections(state: DurableObjectState, except: string): string[] {
  return state
    .getWebSockets()
    .filter((socket) => socket.readyState === WebSocket.READY_STATE_OPEN)
    .map((socket) => state.getTags(socket)[0] ?? "")
    .filter((conn) => conn !== except);
}

/**
 * Finds the open sockets of connections. The platform takes longer to look a socket up by its tag than to send on it, so what
 * was found is kept in memory. A new life of the object finds its sockets at the platform again.
 */
export class Sockets {
  readonly #state: DurableObjectState;
  readonly #found = new Map<string, WebSocket>();

  constructor(state: DurableObjectState) {
    this.#state = state;
  }

  /** Returns the socket of a connection, unless it is closing or closed. */
  find(conn: string): WebSocket | undefined {
    const isOpen = (socket: WebSocket) => socket.readyState === WebSocket.READY_STATE_OPEN;
    let socket = this.#found.get(conn);
    if (socket && isOpen(socket)) return socket;
    socket = this.#state.getWebSockets(conn).find(isOpen);
    if (socket) this.#found.set(conn, socket);
    else this.forget(conn);
    return socket;
  }

  /** Forgets a connection that has ended. */
  forget(conn: string): void {
    this.#found.delete(conn);
  }
}

/**
 * A new socket. The platform accepts it for hibernation unless the object's first command for it is Close. Such a socket is
 * closed without being accepted: workerd would close a hibernatable socket that has received nothing only when the object
 * hibernates, ten seconds later, and the client would wait for that.
 */
export class PendingSocket {
  readonly conn = crypto.randomUUID();
  readonly #state: DurableObjectState;
  readonly #socket: WebSocket;
  readonly #claims: string;
  #settled = false;

  constructor(state: DurableObjectState, socket: WebSocket, claims: string) {
    this.#state = state;
    this.#socket = socket;
    this.#claims = claims;
  }

  /** Has the platform accept the socket, once. */
  accept(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#state.acceptWebSocket(this.#socket, this.#claims === "" ? [this.conn] : [this.conn, claimed]);
    if (this.#claims !== "") this.#socket.serializeAttachment(this.#claims);
  }

  /** Closes the socket if it was not accepted yet, and says whether it did. */
  refuse(code: number, reason: string): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#socket.accept();
    this.#socket.close(code, reason);
    return true;
  }
}

/** Codes that mean that there was no close frame. They cannot be sent in one. */
const unsendable = new Set([1005, 1006, 1015]);

/**
 * Closes a socket that may be closed already. It also answers the peer's close frame, which the hibernation API does not do;
 * without an answer the browser would wait and then report 1006, an abnormal closure.
 */
export function closeSocket(socket: Pick<WebSocket, "close">, code: number, reason: string): void {
  try {
    if (unsendable.has(code)) socket.close(1000);
    else socket.close(code, reason);
  } catch {
    // The connection is closed already, so no peer is left to read the frame.
  }
}
