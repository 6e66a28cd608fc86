import { fieldsOf } from "./fields";
import type { Tone } from "./tone";

/** Server is a server of the Model Context Protocol whose tools the agent uses. All its texts come from outside. */
export interface Server {
  id: string;
  name: string;
  url: string;
  state: { word: string; tone: Tone };
  /** Why it cannot be used; empty where it can be. */
  error: string;
  /** Where a person signs in to it; empty while that is not needed. */
  signIn: string;
  /** What it says of itself. */
  instructions: string;
  tools: Offered[];
  prompts: Offered[];
  resources: Offered[];
  /** Tools that are not used, and why. */
  leftOut: LeftOut[];
}

/** LeftOut is a tool of a server that is not used. */
export interface LeftOut {
  name: string;
  reason: string;
}

/** Offered is a tool, a prompt or a resource of a server. */
export interface Offered {
  name: string;
  description: string;
  /** A tool is not what it was when it was first seen, or last approved. */
  changed: boolean;
  /** What the model is told of a tool otherwise than the server says it. */
  adjusted: string[];
}

const unknown = { word: "not asked yet", tone: "calm" } as const;

/** Only the person who has asked for what needs the server is told the link. */
const elsewhere = { word: "waiting for another person to sign in", tone: "calm" } as const;

const states: Partial<Record<string, Server["state"]>> = {
  connecting: { word: "connecting", tone: "live" },
  connected: { word: "connecting", tone: "live" },
  discovering: { word: "reading its tools", tone: "live" },
  ready: { word: "ready", tone: "good" },
  authenticating: { word: "waiting for you to sign in", tone: "wait" },
  failed: { word: "failed", tone: "danger" },
};

/** parseServers reads what the published hook tells of the servers, in the order of their names. */
export function parseServers(told: unknown): Server[] {
  const { servers, tools, prompts, resources } = fieldsOf(told);
  return Object.entries(fieldsOf(servers))
    .map(([id, server]) => {
      const { name, server_url: url, auth_url: signIn, state, error, instructions, left_out: left } = fieldsOf(server);
      return {
        id,
        name: textOf(name),
        url: textOf(url),
        state: state === "authenticating" && !linkOf(signIn) ? elsewhere : (states[textOf(state)] ?? unknown),
        error: textOf(error),
        signIn: linkOf(signIn),
        instructions: textOf(instructions),
        tools: offeredBy(id, tools),
        prompts: offeredBy(id, prompts),
        resources: offeredBy(id, resources),
        leftOut: leftOutOf(left),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** needsPerson says whether a server waits for somebody, or has failed. */
export function needsPerson({ signIn, state }: Server): boolean {
  return signIn !== "" || state.tone === "danger";
}

/** linkOf is the address of a page on the web, as a link of this page; empty for anything else. */
export function linkOf(value: unknown): string {
  if (typeof value !== "string" || value === "") return "";
  const link = URL.parse(value, location.href);
  return link?.protocol === "https:" || link?.protocol === "http:" ? link.href : "";
}

function offeredBy(id: string, list: unknown): Offered[] {
  if (!Array.isArray(list)) return [];
  return list
    .map(fieldsOf)
    .filter(({ serverId }) => serverId === id)
    .map(({ name, title, uri, description, changed, adjusted }) => ({
      name: textOf(name) || textOf(uri),
      description: textOf(description) || textOf(title),
      changed: changed === true,
      adjusted: Array.isArray(adjusted) ? adjusted.map(textOf) : [],
    }));
}

function leftOutOf(list: unknown): LeftOut[] {
  if (!Array.isArray(list)) return [];
  return list.map(fieldsOf).map(({ name, reason }) => ({ name: textOf(name), reason: textOf(reason) }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
