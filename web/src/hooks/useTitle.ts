import { useEffect } from "react";
import { useSite } from "./useAbout";

/** useTitle sets the title of the browser's tab; "" leaves only the site's name. */
export function useTitle(title: string): void {
  const site = useSite();
  useEffect(() => {
    if (site !== undefined) document.title = title ? `${title} · ${site}` : site;
  }, [title, site]);
}
