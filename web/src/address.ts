import { fieldsOf } from "./fields";
import { freshName, isName } from "./name";
import { formatRun, type RunPath } from "./runpath";
import { keepToken, takeToken } from "./token";

/**
 * The parameters of the page's address. It names the conversation (`/?c=calm-brook-4k7m2p`), its agent where that is not the
 * first one (`&agent=shop`), and the helper whose panel is open (`&run=Researcher/r1`), so that a reload shows them again.
 */
const parameters = { name: "c", agent: "agent", run: "run" };

const watchers = new Set<() => void>();

function urlOf(name: string, { agent = read(parameters.agent), run = "" } = {}): string {
  const url = new URL(location.href);
  url.searchParams.set(parameters.name, name);
  for (const [parameter, value] of Object.entries({ [parameters.agent]: agent, [parameters.run]: run })) {
    if (value) url.searchParams.set(parameter, value);
    else url.searchParams.delete(parameter);
  }
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

/** Inspected names the object that the inspector shows. */
export interface Inspected {
  agent: string;
  name: string;
}

/** inspected reads an address such as `/inspect/shop/calm-brook-4k7m2p`; it is undefined for a conversation. */
export function inspected(): Inspected | undefined {
  const [, agent = "", name = ""] = /^\/inspect\/([^/]+)\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  return isName(agent) && isName(name) ? { agent, name } : undefined;
}

/** inspectorPath is the address of the inspector of an object, or of the helper at the end of path below it. */
export function inspectorPath({ agent, name }: Inspected, path: RunPath): string {
  return `/inspect/${agent}/${name}?run=${formatRun(path)}`;
}

/** conversationPath is the address of a conversation with an agent, or with the helper at the end of path below it. */
export function conversationPath(agent: string, name: string, path: RunPath): string {
  return `/?c=${name}${agent && `&agent=${agent}`}${path.length > 0 ? `&run=${formatRun(path)}` : ""}`;
}

/** mcpAddress is where other programs use a conversation, by the Model Context Protocol. */
export function mcpAddress({ agent, name }: Inspected): string {
  return `${location.origin}/agents/${agent}/${name}/mcp`;
}

/** currentAgent reads the agent from the address, which need not exist; it is empty for the first one. */
export function currentAgent(): string {
  return inspected()?.agent ?? read(parameters.agent);
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

/** openFresh opens a new conversation with an agent; the browser's Back returns to the old one. */
export function openFresh(agent: string): void {
  history.pushState(null, "", urlOf(freshName(), { agent }));
  announce();
}

/** openName opens another conversation; the browser's Back returns to the previous one. */
export function openName(name: string, agent: string): void {
  if (name === currentName() && agent === currentAgent()) return;
  history.pushState(null, "", urlOf(name, { agent }));
  announce();
}

/** openRun opens a helper's panel; closeRun and the browser's Back close it. */
export function openRun(path: RunPath): void {
  history.pushState({ opened: true }, "", urlOf(currentName(), { run: formatRun(path) }));
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
    token = takeToken() || token;
    changed();
  };
  watchers.add(changed);
  // A browser says so too when only the fragment was changed, as by a person who enters another token.
  window.addEventListener("popstate", onPopState);
  return () => {
    watchers.delete(changed);
    window.removeEventListener("popstate", onPopState);
  };
}

let token = takeToken();

/** currentToken is the page's token, which the address has brought (`/#token=...`); empty where there is none. */
export function currentToken(): string {
  return token;
}

/** renewToken replaces the token, because tokens expire. Connections are opened again with the new one. */
export function renewToken(fresh: string): void {
  token = fresh;
  keepToken(fresh);
  announce();
}

/**
 * agentAt makes the options by which the published hook finds an agent by its path segment and name, or the helper at the
 * end of path below it.
 */
export function agentAt(agent: string, name: string, path: RunPath, token: string) {
  // The protocol is given because the hook assumes TLS for every host that is not local.
  const protocol = location.protocol === "https:" ? "wss" : "ws";
  // A deployment opens to nobody without a token.
  const query: Record<string, string> = token ? { token } : {};
  return { agent, name, sub: [...path], query, protocol } as const;
}
