// The sockets of an object, which the platform keeps while the object sleeps. A socket's one tag is its id.

/** The ids of the sockets that are open, but for one. */
export function connections(state: DurableObjectState, except: string): string[] {
  return state
    .getWebSockets()
    .filter((socket) => socket.readyState === WebSocket.READY_STATE_OPEN)
    .map((socket) => state.getTags(socket)[0] ?? "")
    .filter((conn) => conn !== except);
}

/**
 * A socket that has just come. The platform keeps it while the object sleeps, unless the object's first word to it is to go:
 * workerd cuts off a socket that it keeps and has heard nothing from only when the object goes to sleep, ten seconds later,
 * and the client would wait for that.
 */
export class Arrival {
  readonly conn = crypto.randomUUID();
  readonly #state: DurableObjectState;
  readonly #socket: WebSocket;
  #settled = false;

  constructor(state: DurableObjectState, socket: WebSocket) {
    this.#state = state;
    this.#socket = socket;
  }

  /** Hands the socket to the platform, once. */
  keep(): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#state.acceptWebSocket(this.#socket, [this.conn]);
  }

  /** Closes the socket, and says whether it was there to be refused. */
  refuse(code: number, reason: string): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#socket.accept();
    this.#socket.close(code, reason);
    return true;
  }
}

/** Codes that tell of the lack of a close frame, and cannot be sent in one. */
const unsendable = new Set([1005, 1006, 1015]);

/**
 * Closes a socket that may be gone. The peer's close frame has to be answered so: with the hibernation API nobody else does,
 * and the browser would wait and then report 1006, an abnormal closure.
 */
export function farewell(socket: WebSocket, code: number, reason: string): void {
  try {
    if (unsendable.has(code)) socket.close(1000);
    else socket.close(code, reason);
  } catch {
    // The connection is gone, and with it whoever would have read the frame.
  }
}
