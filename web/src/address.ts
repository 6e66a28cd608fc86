import { freshName, isName } from "./name";

/** The page's address names the conversation (`/?c=calm-brook-4k7m2p`), so that a reload comes back to it. */
const parameter = "c";

const watchers = new Set<() => void>();

function urlOf(name: string): URL {
  const url = new URL(location.href);
  url.searchParams.set(parameter, name);
  return url;
}

/** currentName reads the conversation's name from the address. */
export function currentName(): string {
  return new URLSearchParams(location.search).get(parameter) ?? "";
}

/** ensureName puts a fresh name into an address that has none, or one that cannot be used. */
export function ensureName(): void {
  if (!isName(currentName())) history.replaceState(null, "", urlOf(freshName()));
}

/** openFresh goes on to a new conversation; the browser's Back returns to the old one. */
export function openFresh(): void {
  history.pushState(null, "", urlOf(freshName()));
  for (const changed of watchers) changed();
}

/** watchName calls changed whenever currentName may answer differently, until the returned function is called. */
export function watchName(changed: () => void): () => void {
  const onPopState = () => {
    ensureName();
    changed();
  };
  watchers.add(changed);
  window.addEventListener("popstate", onPopState);
  return () => {
    watchers.delete(changed);
    window.removeEventListener("popstate", onPopState);
  };
}
