import { useEffect, useState } from "react";

/** usePast says whether something has been so for a while, in milliseconds. */
export function usePast(so: boolean, ms: number): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    if (!so) return;
    const timer = setTimeout(() => setPast(true), ms);
    return () => {
      clearTimeout(timer);
      setPast(false);
    };
  }, [so, ms]);
  return past;
}
