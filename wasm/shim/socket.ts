// The sockets of an object, which the platform keeps while the object sleeps. A socket's one tag is its id.

/** The ids of the sockets that are open, but for one. */
export function connections(state: DurableObjectState, except: string): string[] {
  return state
    .getWebSockets()
    .filter((socket) => socket.readyState === WebSocket.READY_STATE_OPEN)
    .map((socket) => state.getTags(socket)[0] ?? "")
    .filter((conn) => conn !== except);
}

/** Codes that tell of the lack of a close frame, and cannot be sent in one. */
const unsendable = new Set([1005, 1006, 1015]);

/**
 * Answers the peer's close frame. With the hibernation API nobody else does, and the browser would wait and then report
 * 1006, an abnormal closure.
 */
export function farewell(socket: WebSocket, code: number, reason: string): void {
  try {
    if (unsendable.has(code)) socket.close(1000);
    else socket.close(code, reason);
  } catch {
    // The connection is gone, and with it whoever would have read the frame.
  }
}
