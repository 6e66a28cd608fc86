// Projects of one's own, which are made and run as a newcomer makes and runs them: outside of this checkout, with
// nothing but Go and a Node, and without a network.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Dev, ready } from "./dev.ts";

export const checkout = join(import.meta.dirname, "..");

/** The variables of a newcomer's shell. The programs of this checkout's packages are not in its PATH. */
const shell = {
  ...Object.fromEntries(["HOME", "GOCACHE", "GOMODCACHE", "GOPATH", "TMPDIR"].map((key) => [key, process.env[key]])),
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter),
  GOPROXY: "off",
  NO_COLOR: "1",
};

/** What a command has written, and its status. */
export interface Outcome {
  status: number;
  said: string;
}

/** Runs a command to its end. */
export function run(
  cwd: string,
  [command = "", ...args]: string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, env: { ...shell, ...env } }, (_, out, err) =>
      resolve({ status: child.exitCode ?? -1, said: `${out}${err}` }),
    );
  });
}

/** A folder with a project. */
export class Project {
  readonly dir: string;
  readonly #around: string;

  private constructor(around: string) {
    this.#around = around;
    this.dir = join(around, "my app");
  }

  /** Makes a project in a folder whose path has blanks, with the npm packages of this checkout. */
  static async create(...flags: string[]): Promise<Project> {
    const project = new Project(await realpath(await mkdtemp(join(tmpdir(), "a newcomer's "))));
    const { status, said } = await run(checkout, ["go", "run", "./cmd/tributary", "new", project.dir, ...flags]);
    if (status !== 0) throw new Error(said);
    await symlink(join(checkout, "node_modules"), project.path("node_modules"));
    return project;
  }

  remove(): Promise<void> {
    return rm(this.#around, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(this.path(name), text);
  }

  /** Replaces texts in a file, each of which it has once. */
  async edit(name: string, ...edits: [old: string, text: string][]): Promise<void> {
    let text = await this.read(name);
    for (const [old, fresh] of edits) {
      if (text.split(old).length !== 2) throw new Error(`${name} does not have ${old} once:\n${text}`);
      text = text.replace(old, () => fresh);
    }
    await this.write(name, text);
  }

  /** Runs a command of the project's tool. */
  tool(...args: string[]): Promise<Outcome> {
    return run(this.dir, ["go", "run", ".", ...args]);
  }

  /** Runs the project until it is stopped, as by Ctrl+C in its terminal. Resolves when it answers. */
  async dev(state: string): Promise<Dev> {
    const args = ["run", ".", "dev", "-port", "0", "-state", state];
    const child = spawn("go", args, { cwd: this.dir, env: shell, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "exit");
    const pid = child.pid ?? 0;
    const stop = async () => {
      process.kill(-pid, "SIGINT"); // the process group
      await ended;
    };
    return { ...(await ready(child, ended)), pid, stop };
  }
}

/** What a page is told of a build. */
export interface Build {
  state: string;
  error: string;
}

/** The builds of a project that runs, as its page is told of them. */
export class Builds {
  readonly #stream: ReadableStreamDefaultReader<string>;
  #text = "";

  private constructor(stream: ReadableStreamDefaultReader<string>) {
    this.#stream = stream;
  }

  static async of(server: Dev): Promise<Builds> {
    const about = (await (await fetch(`${server.url}/tributary.json`)).json()) as { dev: string };
    const { body } = await fetch(about.dev);
    if (body === null) throw new Error("there is no stream");
    const builds = new Builds(body.pipeThrough(new TextDecoderStream()).getReader());
    await builds.next(); // the one that is served
    return builds;
  }

  /** The next build that is not under way any more. */
  async outcome(): Promise<Build> {
    for (;;) {
      const build = await this.next();
      if (build.state !== "building") return build;
    }
  }

  close(): Promise<void> {
    return this.#stream.cancel();
  }

  private async next(): Promise<Build> {
    for (;;) {
      const [event = "", ...rest] = this.#text.split("\n\n");
      if (rest.length > 0) {
        this.#text = rest.join("\n\n");
        return JSON.parse(event.slice(event.indexOf("data: ") + "data: ".length)) as Build;
      }
      const { done, value } = await this.#stream.read();
      if (done) throw new Error("the stream has ended");
      this.#text += value;
    }
  }
}
