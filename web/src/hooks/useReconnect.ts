import { useEffect } from "react";
import { watchNetwork } from "./useOnline";

/**
 * useReconnect makes a new connection whenever the browser says that the network came or went: a socket over a network
 * that is gone stays open, and silent, for minutes.
 */
export function useReconnect(socket: { reconnect: () => void }): void {
  useEffect(() => watchNetwork(() => socket.reconnect()), [socket]);
}
