import { useEffect } from "react";

/** useTitle names the browser's tab by what is open in it; "" is the page itself. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Tributary` : "Tributary";
  }, [title]);
}
