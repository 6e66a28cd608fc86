import { useEffect, useRef } from "react";

/**
 * useThrottled calls act when key changes, at most once in `interval` milliseconds. The last change always leads to a call,
 * and a continuous series of changes does not delay it. Nothing is called while key is undefined.
 */
export function useThrottled(act: () => void, key: string | number | undefined, interval: number): void {
  const lastRun = useRef(0);
  useEffect(() => {
    if (key === undefined) return;
    const run = () => {
      lastRun.current = Date.now();
      act();
    };
    const timer = setTimeout(run, Math.max(0, lastRun.current + interval - Date.now()));
    return () => clearTimeout(timer);
  }, [act, key, interval]);
}
