import { fieldsOf } from "./fields";

/** Root is an agent that people can talk to. */
export interface Root {
  /** The agent's segment in the paths of the server. */
  agent: string;
  /**
   * The agent in the page's addresses and in the list of conversations. It is empty for the first root, so that an address
   * without an agent is the first root's.
   */
  key: string;
  title: string;
  /** Introduces the agent; may be empty. */
  description: string;
  /** First messages that the page offers. */
  suggestions: string[];
  /** The names of the methods that the agent offers. */
  methods: string[];
  /** Other programs can use its conversations. */
  exposed: boolean;
}

/** About is what the server says of itself: whom people can talk to. */
export interface About {
  roots: readonly [Root, ...Root[]];
  /** The address of a developer's build events; undefined in production. */
  dev: string | undefined;
}

/** rootOf finds the agent of an address; undefined where the server has no such agent. */
export function rootOf({ roots }: About, agent: string): Root | undefined {
  return roots.find((root) => agent === root.key || agent === root.agent);
}

/** offers says whether an agent offers methods. */
export function offers({ methods }: Root, ...names: string[]): boolean {
  return names.every((name) => methods.includes(name));
}

/** parseAbout reads the server's answer. It throws, with a sentence for the person, where that is none. */
export function parseAbout(answer: unknown): About {
  const { roots, dev } = fieldsOf(answer);
  if (!Array.isArray(roots)) throw new Error(foreign);
  const [first, ...others] = roots.filter(isRoot).map(completed);
  if (!first) throw new Error("It has no agent that people can talk to.");
  return { roots: [{ ...first, key: "" }, ...others], dev: isLoopback(dev) ? dev : undefined };
}

const foreign = "Its answer is of another kind. It may be older than this page.";

type Answered = Pick<Root, "agent" | "title"> & Partial<Record<string, unknown>>;

function isRoot(value: unknown): value is Answered {
  const { agent, title } = fieldsOf(value);
  return typeof agent === "string" && agent !== "" && typeof title === "string";
}

function completed({ agent, title, description, suggestions, methods, exposed }: Answered): Root {
  return {
    agent,
    key: agent,
    title,
    description: typeof description === "string" ? description : "",
    suggestions: textsOf(suggestions),
    methods: textsOf(methods),
    exposed: exposed === true,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
}

/** A developer's tool listens on the developer's own machine only. */
function isLoopback(value: unknown): value is string {
  return typeof value === "string" && /^http:\/\/127\.0\.0\.1:\d+(\/|$)/.test(value);
}

/** Asked is what has become of the question to the server. */
export interface Asked {
  about?: About;
  /** Why there is no answer, in a sentence. */
  failure?: string;
  asking: boolean;
}

/** After how long the page says that there is no answer yet, in milliseconds. It goes on waiting for it. */
const late = 8000;

const watchers = new Set<() => void>();
let asked: Asked = { asking: false };

function become(next: Asked): void {
  asked = next;
  for (const changed of watchers) changed();
}

/** currentAsked is what has become of the question so far. */
export function currentAsked(): Asked {
  return asked;
}

/** askAbout asks the server whom people can talk to. An earlier answer holds until there is another. */
export async function askAbout(): Promise<void> {
  become({ ...asked, asking: true });
  const timer = setTimeout(fail, late, "It has not answered yet.");
  try {
    become({ about: await load(), asking: false });
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}

function fail(failure: string): void {
  const { about } = asked;
  become(about ? { about, asking: false } : { failure, asking: false });
}

async function load(): Promise<About> {
  // The options are those of the preload in index.html, so that the page asks once.
  const response = await fetch("/tributary.json").catch(() => {
    throw new Error("It did not answer.");
  });
  if (!response.ok) throw new Error(`It answered with the status ${response.status}.`);
  // An older server answers with the page itself.
  return parseAbout(await response.json().catch(() => undefined));
}

/** watchAbout calls changed whenever the answer changes, until the returned function is called. */
export function watchAbout(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}
