import { useEffect, useState } from "react";

/** useNow is the time in milliseconds since 1970. It is updated each second while `looked` is true. */
export function useNow(looked: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!looked) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [looked]);
  return now;
}
