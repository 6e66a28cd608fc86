import { useEffect } from "react";

/** useTitle sets the title of the browser's tab; "" leaves only the product's name. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Tributary` : "Tributary";
  }, [title]);
}
