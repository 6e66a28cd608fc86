import { fieldsOf } from "./fields";
import { freshName, isName } from "./name";
import { formatRun, type RunPath } from "./runpath";

/**
 * The parameters of the page's address. It names the conversation (`/?c=calm-brook-4k7m2p`) and the helper whose panel is
 * open (`&run=Researcher/r1`), so that a reload shows both again.
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

/**
 * inspectedName is the agent that an address such as `/inspect/assistant/calm-brook-4k7m2p` inspects; undefined for a
 * conversation.
 */
export function inspectedName(): string | undefined {
  const name = /^\/inspect\/assistant\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  return name !== undefined && isName(name) ? name : undefined;
}

/**
 * currentRun reads the open helper's path from the address, in the form that `parseRun` reads; empty while none is
 * open.
 */
export function currentRun(): string {
  return read(parameters.run);
}

/** ensureName puts a fresh name into the address if it has none, or an invalid one. */
export function ensureName(): void {
  if (!isName(currentName())) history.replaceState(null, "", urlOf(freshName()));
}

/** openFresh opens a new conversation; the browser's Back returns to the old one. */
export function openFresh(): void {
  history.pushState(null, "", urlOf(freshName()));
  announce();
}

/** openName opens another conversation; the browser's Back returns to the previous one. */
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

/**
 * closeRun closes the helper's panel: it goes back in the history, or, if the page was loaded with the panel, rewrites
 * the address.
 */
export function closeRun(): void {
  if (!currentRun()) return;
  if (fieldsOf(history.state).opened) {
    history.back();
  } else {
    history.replaceState(null, "", urlOf(currentName()));
    announce();
  }
}

/** watchAddress calls changed whenever the address may have changed, until the returned function is called. */
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

/** currentToken is the page's token, which the address carried (`/?token=...`); empty where there is none. */
export function currentToken(): string {
  return token;
}

/** renewToken replaces the token, because tokens expire. Connections are opened again with the new one. */
export function renewToken(fresh: string): void {
  token = fresh;
  keepToken();
  announce();
}

/**
 * keepToken writes the token into the address. An older address from the history would bring the old token back at a
 * reload.
 */
function keepToken(): void {
  if (read(parameters.token) === token) return;
  const url = new URL(location.href);
  url.searchParams.set(parameters.token, token);
  history.replaceState(history.state, "", url.href);
}

/** agentAt makes the options by which the published hook finds an agent, or the helper at the end of path below it. */
export function agentAt(name: string, path: RunPath, token: string) {
  // The protocol is given because the hook assumes TLS for every host that is not local.
  const protocol = location.protocol === "https:" ? "wss" : "ws";
  // A deployment opens to nobody without a token.
  const query: Record<string, string> = token ? { token } : {};
  return { agent: "Assistant", name, sub: [...path], query, protocol } as const;
}
