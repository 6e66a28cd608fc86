// The three Workers that are measured beside each other.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Dev, dev } from "../e2e/dev.ts";

export const names = ["floor", "tributary", "peer"] as const;
export type Name = (typeof names)[number];

/** The configuration of a side. Tributary is the shipped Worker, unless its objects are counted. */
export const config = (name: Name, counting = false): string =>
  name === "tributary" && !counting ? "wrangler.jsonc" : `bench/${name}/wrangler.jsonc`;

// wrangler dev records every statement, call and event, unless it is told not to; a deployment does not. It also adds two
// statements and a commit to the start of every root, on all sides alike, which nothing turns off.
process.env.X_LOCAL_OBSERVABILITY ??= "false";

interface Options {
  /** The Worker counts what its objects ask of their storage. */
  counting?: boolean;
  /** How many milliseconds one of Tributary's objects takes, where it counts. */
  slow?: number;
}

/** A Worker under wrangler dev, and the folder of its storage. */
export class Side {
  readonly name: Name;
  readonly state: string;
  server: Dev;
  readonly #options: Options;

  private constructor(name: Name, options: Options, state: string, server: Dev) {
    this.name = name;
    this.state = state;
    this.server = server;
    this.#options = options;
  }

  /** Starts a side. */
  static async start(name: Name, options: Options = {}): Promise<Side> {
    const state = await mkdtemp(join(tmpdir(), `tributary-bench-${name}-`));
    return new Side(name, options, state, await run(name, options, state));
  }

  get url(): string {
    return this.server.url;
  }

  /** Adds words to a question that only the floor obeys; the others do that work by themselves. */
  ask(text: string, floor: string): string {
    return this.name === "floor" ? `${text} ${floor}` : text;
  }

  /** Ends the process and starts another one on the same storage. */
  async restart(): Promise<void> {
    await this.server.stop();
    this.server = await run(this.name, this.#options, this.state);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.state, { recursive: true, force: true });
  }
}

function run(name: Name, { counting = false, slow = 1 }: Options, state: string): Promise<Dev> {
  const vars: Record<string, string> = counting ? { COUNT: "on", SLOW: String(slow) } : {};
  return dev({ config: config(name, counting), state, vars });
}

/** Starts all sides, lets them be used, and stops them. */
export async function beside(use: (sides: Side[]) => Promise<void>, options: Options = {}): Promise<void> {
  const sides: Side[] = [];
  try {
    for (const name of names) sides.push(await Side.start(name, options));
    await use(sides);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}

/** Lets the sides take turns, so often. Each round begins with another side. */
export async function alternate(sides: Side[], rounds: number, take: (side: Side, round: number) => Promise<void>) {
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < sides.length; i++) await take(sides[(round + i) % sides.length] as Side, round);
}
