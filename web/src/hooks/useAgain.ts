import { useEffect, useRef } from "react";

/**
 * useAgain acts whenever sign has changed, though not more often than once in `pause` milliseconds. The last change is
 * never lost, and changes without end do not put it off. While sign is undefined nothing is done.
 */
export function useAgain(act: () => void, sign: string | number | undefined, pause: number): void {
  const acted = useRef(0);
  useEffect(() => {
    if (sign === undefined) return;
    const again = () => {
      acted.current = Date.now();
      act();
    };
    const timer = setTimeout(again, Math.max(0, acted.current + pause - Date.now()));
    return () => clearTimeout(timer);
  }, [act, sign, pause]);
}
