import { useEffect, useState } from "react";

/** useTrueFor says whether a condition has been true for so many milliseconds. */
export function useTrueFor(condition: boolean, ms: number): boolean {
  const [lasted, setLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setLasted(false);
    };
  }, [condition, ms]);
  return lasted;
}
