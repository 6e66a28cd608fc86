import { useEffect, useState } from "react";

/** useNow is the time in milliseconds since 1970, each second anew while it is looked at; else it stands still. */
export function useNow(looked: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!looked) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [looked]);
  return now;
}
