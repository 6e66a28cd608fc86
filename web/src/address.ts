import { fieldsOf } from "./fields";
import { freshName, isName } from "./name";
import { formatRun, type RunPath } from "./runpath";

/**
 * The page's address names the conversation (`/?c=calm-brook-4k7m2p`) and the helper whose panel is open
 * (`&run=Researcher/r1`), so that a reload comes back to both.
 */
const parameters = { name: "c", run: "run", token: "token" };

const watchers = new Set<() => void>();

function urlOf(name: string, run = ""): string {
  const url = new URL(location.href);
  url.searchParams.set(parameters.name, name);
  if (run) url.searchParams.set(parameters.run, run);
  else url.searchParams.delete(parameters.run);
  url.search = url.search.replaceAll("%2F", "/");
  return url.href;
}

function read(parameter: string): string {
  return new URLSearchParams(location.search).get(parameter) ?? "";
}

function announce(): void {
  for (const changed of watchers) changed();
}

/** currentName reads the conversation's name from the address. */
export function currentName(): string {
  return read(parameters.name);
}

/** inspectedName is the agent whose storage the address asks for, as `/inspect/assistant/calm-brook-4k7m2p`; undefined for a conversation. */
export function inspectedName(): string | undefined {
  const name = /^\/inspect\/assistant\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  return name !== undefined && isName(name) ? name : undefined;
}

/** currentRun reads the open helper's path from the address, as `parseRun` takes it; empty while none is open. */
export function currentRun(): string {
  return read(parameters.run);
}

/** ensureName puts a fresh name into an address that has none, or one that cannot be used. */
export function ensureName(): void {
  if (!isName(currentName())) history.replaceState(null, "", urlOf(freshName()));
}

/** openFresh goes on to a new conversation; the browser's Back returns to the old one. */
export function openFresh(): void {
  history.pushState(null, "", urlOf(freshName()));
  announce();
}

/** openName goes to another conversation; the browser's Back returns to the one before. */
export function openName(name: string): void {
  if (name === currentName()) return;
  history.pushState(null, "", urlOf(name));
  announce();
}

/** openRun opens a helper's panel; closeRun and the browser's Back close it. */
export function openRun(path: RunPath): void {
  history.pushState({ opened: true }, "", urlOf(currentName(), formatRun(path)));
  announce();
}

/** closeRun goes back to where the panel was opened, or, if the page began with it, to its conversation. */
export function closeRun(): void {
  if (!currentRun()) return;
  if (fieldsOf(history.state).opened) {
    history.back();
  } else {
    history.replaceState(null, "", urlOf(currentName()));
    announce();
  }
}

/** watchAddress calls changed whenever the address may read differently, until the returned function is called. */
export function watchAddress(changed: () => void): () => void {
  const onPopState = () => {
    ensureName();
    keepToken();
    changed();
  };
  watchers.add(changed);
  window.addEventListener("popstate", onPopState);
  return () => {
    watchers.delete(changed);
    window.removeEventListener("popstate", onPopState);
  };
}

let token = read(parameters.token);

/** currentToken is the page's own token, which came with the address (`/?token=...`); empty where it has none. */
export function currentToken(): string {
  return token;
}

/** renewToken goes on with another token, since one does not last. Connections are made again with it. */
export function renewToken(fresh: string): void {
  token = fresh;
  keepToken();
  announce();
}

/** An address of before the token was renewed would bring the old one back at a reload. */
function keepToken(): void {
  if (read(parameters.token) === token) return;
  const url = new URL(location.href);
  url.searchParams.set(parameters.token, token);
  history.replaceState(history.state, "", url.href);
}

/** agentAt is where the published hook finds the agent of a name, or the helper that path leads to from there. */
export function agentAt(name: string, path: RunPath, token: string) {
  // The protocol, because by default every host that is not local is taken for a secure one.
  const protocol = location.protocol === "https:" ? "wss" : "ws";
  // A deployment opens to nobody without a token.
  const query: Record<string, string> = token ? { token } : {};
  return { agent: "Assistant", name, sub: [...path], query, protocol } as const;
}
