// A bank that counts what it does, and clients of the agents that have it pay.
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { AgentClient } from "agents/client";
import { expect } from "vitest";
import { type Asked, type Counter, counter } from "./counter";
import { until } from "./office";

/** What can be observed of a request at the bank. */
export type Moment = "asked" | "done" | "half answered" | "answered";

/** A server that pays, refunds, and says whether it has paid. */
export class Bank {
  /** What it has done, such as "pay ada", in this order. */
  readonly effects: string[] = [];
  /** Called at every moment of a request to do something. What it returns true for is not done, and not answered. */
  reached = (_what: string, _moment: Moment): boolean => false;
  readonly #gates = new Map<string, Promise<void>>();
  /** What was answered under a key, and what was paid. */
  readonly #known = new Map<string, string>();
  readonly #paid = new Map<string, string>();
  #server: Counter | undefined;

  static async open(): Promise<Bank> {
    const bank = new Bank();
    bank.#server = await counter((asked, response) => void bank.#serve(asked, response));
    return bank;
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  /** How often something was done. */
  count(what: string): number {
    return this.effects.filter((one) => one === what).length;
  }

  /** The requests of a path. */
  asked(path: string): number {
    return this.#server?.count(path) ?? 0;
  }

  /** Keeps the answers to a path back until the returned function is called. */
  hold(path: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.set(path, promise);
    return resolve;
  }

  stop(): void {
    this.#server?.stop();
  }

  async #serve({ path, key }: Asked, response: ServerResponse): Promise<void> {
    const [, verb = "", to = ""] = path.split("/");
    if (verb === "paid") {
      await this.#gates.get(path);
      const receipt = this.#paid.get(to);
      response.writeHead(receipt === undefined ? 404 : 200).end(receipt);
      return;
    }
    const what = `${verb} ${to}`;
    if (this.reached(what, "asked")) return;
    const receipt = this.#do(verb, to, key);
    if (this.reached(what, "done")) return;
    await this.#gates.get(path);
    response.writeHead(200, { "content-length": receipt.length });
    response.write(receipt.slice(0, 3), () => {
      if (!this.reached(what, "half answered")) response.end(receipt.slice(3), () => this.reached(what, "answered"));
    });
  }

  /** Does something, unless it was done under the key. */
  #do(verb: string, to: string, key: string): string {
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    this.effects.push(`${verb} ${to}`);
    const receipt = `receipt ${this.effects.length}`;
    if (key !== "") this.#known.set(key, receipt);
    if (verb === "pay") this.#paid.set(to, receipt);
    return receipt;
  }
}

export interface Payment {
  bank: string;
  to: string;
  amount: number;
}

/** What a workflow is told. */
export interface Order {
  tool: string;
  payment: Payment;
  times: number;
}

/** A call that the model is to make. */
export interface Wanted {
  tool: string;
  input: unknown;
}

/** An action, as the ledger lists it. */
export interface Action {
  id: string;
  tool: string;
  key: string;
  state: string;
  working: boolean;
  by: string;
  approvedBy: string;
  digest: string;
  preview: string;
  error: string;
}

/** A question, as it is listed. */
export interface Pending {
  id: string;
  path: string[];
  kind: string;
  tool: string;
  title: string;
}

/** A run, as far as these tests look at it. */
export interface Run {
  status: string;
  output?: unknown;
  error?: string;
  milestones?: { name: string }[];
}

/** The part of a message that shows a call. */
export interface CallPart {
  type: string;
  toolCallId: string;
  state: string;
  output?: unknown;
  errorText?: string;
  approval?: { approved?: boolean; reason?: string; isAutomatic?: boolean };
  resultProviderMetadata?: unknown;
}

/** Where a client connects: a conversation of the Cashier, or one of its helpers. */
export interface Where {
  host: string;
  name: string;
  /** The helper's class and its run. */
  sub?: [agent: string, run: string];
  token?: string;
}

/** The published client of a conversation of the Cashier. */
export class Customer {
  readonly #agent: AgentClient;
  readonly #where: Where;
  /** The frames that it was sent. */
  readonly frames: string[] = [];
  /** Called with every frame. */
  heard = (_frame: string) => {};

  private constructor(where: Where) {
    const { host, name, sub, token } = where;
    const basePath = sub && `agents/cashier/${name}/sub/${sub.map((segment) => segment.toLowerCase()).join("/")}`;
    const query = token === undefined ? {} : { query: { token } };
    this.#where = where;
    this.#agent = new AgentClient({ agent: "Cashier", name, host, ...(basePath ? { basePath } : {}), ...query });
    this.#agent.addEventListener("message", ({ data }: MessageEvent) => {
      this.frames.push(String(data));
      this.heard(String(data));
    });
  }

  static async open(where: Where): Promise<Customer> {
    const customer = new Customer(where);
    await customer.#agent.ready;
    return customer;
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

  /** Has the model make calls. Returns the id of the submission. */
  async say(...calls: Wanted[]): Promise<string> {
    return (await this.call<{ submissionId: string }>("submit", { text: JSON.stringify(calls) })).submissionId;
  }

  /** Waits until a turn is over. Returns what the model has said. */
  answer(submission: string): Promise<string> {
    return until(async () => {
      const turn = await this.call<{ status: string; answer?: string }>("submission", submission);
      expect(turn).toMatchObject({ status: "completed" });
      return turn.answer ?? "";
    });
  }

  begin(program: string, id: string, order: Partial<Order> | string): Promise<string> {
    const payment = { bank: "", to: "", amount: 0 };
    return this.call(
      "begin",
      program,
      id,
      typeof order === "string" ? order : { tool: "", payment, times: 0, ...order },
    );
  }

  run(id: string): Promise<Run> {
    return this.call("run", id);
  }

  /** Waits until a run has a status. */
  until(id: string, status: string): Promise<Run> {
    return until(async () => {
      const run = await this.run(id);
      expect(run).toMatchObject({ status });
      return run;
    });
  }

  /** The ledger, newest first. */
  async actions(filter: { key?: string; states?: string[] } = {}): Promise<Action[]> {
    return (await this.call<{ actions: Action[] }>("actions", filter)).actions;
  }

  /** The keys and states of the ledger, oldest first. */
  async states(): Promise<string[]> {
    return (await this.actions()).map(({ key, state }) => `${key} ${state}`).toReversed();
  }

  pending(): Promise<Pending[]> {
    return this.call("pendingApprovals");
  }

  /** The calls of the stored messages of the conversation, or of one of its helpers. */
  async calls(sub: string[] = []): Promise<CallPart[]> {
    const { host, name, token } = this.#where;
    const path = [
      "agents",
      "cashier",
      name,
      ...sub.flatMap((segment, i) => (i % 2 ? [segment] : ["sub", segment])),
    ].join("/");
    const response = await fetch(`${host}/${path}/get-messages`, { headers: bearer(token) });
    const messages = (await response.json()) as { parts: CallPart[] }[];
    return messages.flatMap(({ parts }) => parts).filter(({ toolCallId }) => toolCallId !== undefined);
  }

  /** Posts to an address below the conversation, as a webhook does. Returns the status and the JSON of the answer. */
  async post(path: string, body: unknown): Promise<[number, unknown]> {
    const { host, name, token } = this.#where;
    const headers = { "content-type": "application/json", ...bearer(token) };
    const response = await fetch(`${host}/agents/cashier/${name}/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  }
}

const bearer = (token?: string): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** The beginning of the digest of a flat input, by the ledger's own definition: SHA-256 of its fields by name. */
export function digest(input: object): string {
  const canonical = JSON.stringify(Object.fromEntries(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return createHash("sha256").update(canonical).digest("hex").slice(0, 8);
}
