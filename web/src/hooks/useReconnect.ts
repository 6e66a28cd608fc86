import { useEffect } from "react";
import { watchNetwork } from "./useOnline";

/**
 * useReconnect opens a new connection whenever the browser goes online or offline. A socket over a lost network would stay
 * open, and silent, for minutes.
 */
export function useReconnect(socket: { reconnect: () => void }): void {
  useEffect(() => watchNetwork(() => socket.reconnect()), [socket]);
}
