import { fieldsOf } from "./fields";

/** Entry is a conversation in the person's list. */
export interface Entry {
  name: string;
  /** What it began with. */
  title: string;
  /** When it was last spoken in, in milliseconds since 1970. */
  at: number;
}

const key = "tributary-conversations";

/** The list's limits: the oldest leave it first. */
const maxEntries = 100;
const maxTitle = 80;

/** titled is the list with a conversation at its top, by what it began with. */
export function titled(list: readonly Entry[], entry: Entry): Entry[] {
  const title = entry.title.replaceAll(/\s+/g, " ").trim().slice(0, maxTitle);
  return [{ ...entry, title }, ...without(list, entry.name)].slice(0, maxEntries);
}

/** without is the list without a conversation. */
export function without(list: readonly Entry[], name: string): Entry[] {
  return list.filter((entry) => entry.name !== name);
}

/** parseEntries reads what was stored. Whatever is no entry is left out. */
export function parseEntries(text: string | null): Entry[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isEntry).slice(0, maxEntries) : [];
  } catch {
    return []; // Somebody else's, or cut off: the conversations themselves are on the server.
  }
}

function isEntry(value: unknown): value is Entry {
  const { name, title, at } = fieldsOf(value);
  return typeof name === "string" && typeof title === "string" && typeof at === "number";
}

const watchers = new Set<() => void>();
let text: string | null = null;
let entries: Entry[] = [];

/** conversations is the person's list, newest first: it belongs to this browser, as the conversations' names do. */
export function conversations(): readonly Entry[] {
  const stored = read();
  if (stored !== text) [text, entries] = [stored, parseEntries(stored)];
  return entries;
}

function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // A browser that keeps nothing for this page.
  }
}

function store(list: Entry[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list));
  } catch {
    return; // A full or forbidden storage: the list stays what it was.
  }
  for (const changed of watchers) changed();
}

/** noteConversation puts a conversation at the top of the list. */
export function noteConversation(name: string, title: string): void {
  store(titled(conversations(), { name, title, at: Date.now() }));
}

/** nameConversation puts one into the list that is not there, as after its address was opened. */
export function nameConversation(name: string, title: string): void {
  if (title && !conversations().some((entry) => entry.name === name)) noteConversation(name, title);
}

/** forgetConversation takes a conversation out of the list. */
export function forgetConversation(name: string): void {
  store(without(conversations(), name));
}

/** watchConversations calls changed whenever the list has, here or in another tab, until the returned function is called. */
export function watchConversations(changed: () => void): () => void {
  watchers.add(changed);
  window.addEventListener("storage", changed);
  return () => {
    watchers.delete(changed);
    window.removeEventListener("storage", changed);
  };
}
