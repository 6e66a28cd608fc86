// A server of an application that can be killed and whose clock can be moved, and clients of the workflows' agents.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentToolEventMessage } from "agents/agent-tools";
import { AgentClient } from "agents/client";
import { expect, inject, vi } from "vitest";
import { type Dev, dev } from "../dev";
import { wait } from "../patience";
import { kill } from "../workerd";

const waitOptions = { timeout: wait, interval: 50 };

/** Waits until a check succeeds, and returns what it returns. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, waitOptions);

export const hour = 3_600_000;

/** A run, as the methods of the Assistant return it. */
export interface Run {
  runId: string;
  agentType: string;
  status: string;
  /** What the run has returned: the output of JSON, or the summary of text. */
  output?: unknown;
  summary?: string;
  error?: string;
  restartOf?: string;
  restartedAs?: string;
  startedAt: number;
  completedAt?: number;
  /** How long the run has taken until now. */
  elapsed: number;
}

/** What a program is asked to do: see agents/agents.go. */
interface Job {
  url: string;
  steps: number;
  ahead: number;
  run: string;
  handler: string;
}

/** A chunk that shows a step. */
export interface Step {
  id: string;
  data: { name: string; state: string; attempt: number; attempts: number; error?: string; retryAt?: number };
}

/** Which application a server has, and its variables. */
interface OfficeOptions {
  config?: string;
  vars?: Record<string, string>;
}

/** A server with a storage that outlives it. */
export class Office {
  readonly #state: string;
  readonly #config: string;
  #vars: Record<string, string>;
  #server: Dev;
  /** How far the clock is ahead, in ms. */
  ahead = 0;
  /** When the server was last seen to answer for the first time, by this machine's clock. */
  startedAt = Date.now();

  private constructor(state: string, config: string, vars: Record<string, string>, server: Dev) {
    this.#state = state;
    this.#config = config;
    this.#vars = vars;
    this.#server = server;
  }

  /** Starts a server, by default that of the workflows' agents. */
  static async open({ config = inject("workflows"), vars = {} }: OfficeOptions = {}): Promise<Office> {
    const state = await mkdtemp(join(tmpdir(), "tributary-office-"));
    return new Office(state, config, vars, await dev({ config, vars, state }));
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await rm(this.#state, { recursive: true, force: true });
  }

  get url(): string {
    return this.#server.url;
  }

  /** The folder with the objects' storage. */
  get state(): string {
    return this.#state;
  }

  /** What the server has written since it was started. */
  get log(): string {
    return this.#server.log();
  }

  /** Kills the server with SIGKILL. Another one starts on its storage. */
  kill(): void {
    kill(this.#server, this.#state);
  }

  /** Resolves when the server answers. */
  async ready(): Promise<void> {
    await until(async () => expect((await fetch(`${this.url}/health`)).status).toBe(200));
    this.startedAt = Date.now();
  }

  /** Kills the server, and starts another one on its storage, whose clock is an hour further ahead. */
  async jump(): Promise<void> {
    this.ahead += hour;
    await this.deploy({ TRIBUTARY_CLOCK: `+${this.ahead}` });
  }

  /** Kills the server, and starts another one on its storage, with more variables. */
  async deploy(vars: Record<string, string>): Promise<void> {
    this.kill();
    await this.ready(); // wrangler does not end while it starts another workerd
    await this.#server.stop();
    this.#vars = { ...this.#vars, ...vars };
    this.#server = await dev({ config: this.#config, vars: this.#vars, state: this.#state });
  }

  /** Connects to a conversation, or to that of a helper, which has a path below it. */
  async connect(name: string, path = ""): Promise<Client> {
    const client = new Client(name, this.url, path);
    await client.ready;
    return client;
  }
}

/** The published client of a conversation, and the frames about runs that it was sent. */
export class Client {
  readonly #agent: AgentClient;
  readonly events: AgentToolEventMessage[] = [];
  /** Called at every frame. */
  heard = () => {};

  constructor(name: string, host: string, path: string) {
    this.#agent = new AgentClient({ agent: "Assistant", name, host, path });
    this.#agent.addEventListener("message", ({ data }: MessageEvent) => {
      const frame = JSON.parse(String(data)) as AgentToolEventMessage;
      if (frame.type === "agent-tool-event") this.events.push(frame);
      this.heard();
    });
  }

  get ready(): Promise<void> {
    return this.#agent.ready;
  }

  close(): void {
    this.#agent.close();
  }

  send(frame: object): void {
    this.#agent.send(JSON.stringify(frame));
  }

  call<T>(method: string, ...args: unknown[]): Promise<T> {
    return this.#agent.call<T>(method, args);
  }

  begin(program: string, id: string, job: Partial<Job> = {}): Promise<string> {
    return this.call("begin", program, id, { url: "", steps: 0, ahead: 0, run: "", handler: "", ...job });
  }

  run(id: string): Promise<Run> {
    return this.call("run", id);
  }

  /** Resolves when a run has a status. */
  until(id: string, status: string): Promise<Run> {
    return until(async () => {
      const run = await this.run(id);
      expect(run, run.error).toMatchObject({ status });
      return run;
    });
  }

  /** The chunks of a run that have a type. */
  chunks<T>(run: string, type: string): T[] {
    return this.events.flatMap(({ event }) => {
      if (event.kind !== "chunk" || event.runId !== run) return [];
      const chunk = JSON.parse(event.body) as { type: string };
      return chunk.type === type ? [chunk as T] : [];
    });
  }

  steps(run: string): Step[] {
    return this.chunks(run, "data-step");
  }
}

let names = 0;
/** Makes the name of a new conversation. */
export const freshName = () => `office-${process.pid}-${++names}`;
