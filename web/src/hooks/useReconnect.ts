import { useEffect } from "react";

/**
 * useReconnect makes a new connection whenever the browser says that the network came or went: a socket over a network
 * that is gone stays open, and silent, for minutes.
 */
export function useReconnect(socket: { reconnect: () => void }): void {
  useEffect(() => {
    const again = () => socket.reconnect();
    window.addEventListener("online", again);
    window.addEventListener("offline", again);
    return () => {
      window.removeEventListener("online", again);
      window.removeEventListener("offline", again);
    };
  }, [socket]);
}
