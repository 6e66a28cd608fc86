import { fieldsOf } from "./fields";

/** Place says which conversation it is. */
export interface Place {
  name: string;
  /** The agent's key; absent for the first root. */
  agent?: string | undefined;
}

/** Entry is a conversation in the person's list. */
export interface Entry extends Place {
  /** The beginning of its first message. */
  title: string;
  /** When its last message was sent, in milliseconds since 1970. */
  at: number;
}

const key = "tributary-conversations";

/** The list's limits. The oldest entries are dropped first. */
const maxEntries = 100;
const maxTitle = 80;

/** titled is the list with a conversation at its top, its title shortened to one line. */
export function titled(list: readonly Entry[], entry: Entry): Entry[] {
  const title = entry.title.replaceAll(/\s+/g, " ").trim().slice(0, maxTitle);
  return [{ ...entry, title }, ...without(list, entry)].slice(0, maxEntries);
}

/** without is the list without a conversation. */
export function without(list: readonly Entry[], place: Place): Entry[] {
  return list.filter((entry) => !isSame(entry, place));
}

/** isSame says whether two places are the same conversation. */
export function isSame(a: Place, b: Place): boolean {
  return a.name === b.name && a.agent === b.agent;
}

/** parseEntries reads the stored list. It leaves out values that are not entries. */
export function parseEntries(text: string | null): Entry[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isEntry).slice(0, maxEntries) : [];
  } catch {
    return []; // Not ours, or truncated. Nothing is lost: the conversations themselves are on the server.
  }
}

function isEntry(value: unknown): value is Entry {
  const { name, agent = "", title, at } = fieldsOf(value);
  return typeof agent === "string" && typeof name === "string" && typeof title === "string" && typeof at === "number";
}

const watchers = new Set<() => void>();
let text: string | null = null;
let entries: Entry[] = [];

/** conversations is the person's list, newest first. This browser keeps it. */
export function conversations(): readonly Entry[] {
  const stored = read();
  if (stored !== text) [text, entries] = [stored, parseEntries(stored)];
  return entries;
}

function read(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // The browser keeps nothing for this page.
  }
}

function store(list: Entry[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list));
  } catch {
    return; // The storage is full or forbidden: the list stays as it was.
  }
  for (const changed of watchers) changed();
}

/** noteConversation puts a conversation at the top of the list. */
export function noteConversation({ name, agent }: Place, title: string): void {
  store(titled(conversations(), { name, agent, title, at: Date.now() }));
}

/** nameConversation adds a conversation that the list lacks, for example after its address was opened. */
export function nameConversation(place: Place, title: string): void {
  if (title && !conversations().some((entry) => isSame(entry, place))) noteConversation(place, title);
}

/** forgetConversation removes a conversation from the list. */
export function forgetConversation(place: Place): void {
  store(without(conversations(), place));
}

/**
 * watchConversations calls changed whenever the list changes, here or in another tab, until the returned function is
 * called.
 */
export function watchConversations(changed: () => void): () => void {
  watchers.add(changed);
  window.addEventListener("storage", changed);
  return () => {
    watchers.delete(changed);
    window.removeEventListener("storage", changed);
  };
}
