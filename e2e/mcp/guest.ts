// A client of an agent that uses servers, over its WebSocket. It is also run by Node alone, in the judge of clients.

/** A server, as the frame shows it. */
export interface Shown {
  name: string;
  server_url: string;
  auth_url: string | null;
  state: string;
  error: string | null;
}

/** A tool of a server, as the frame shows it. */
export interface ShownTool {
  serverId: string;
  name: string;
  description?: string;
  inputSchema: Schema;
  changed?: boolean;
}

export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
}

/** What the agent tells of its servers. */
export interface Servers {
  servers: Record<string, Shown>;
  tools: ShownTool[];
}

/** A question, as it is listed. */
export interface Pending {
  id: string;
  kind: string;
  tool: string;
  title: string;
  text: string;
  input?: { title: string; text: string; server: string; url?: string; schema: Schema; default?: unknown };
}

/** The part of a message that shows a call. */
export interface CallPart {
  type: string;
  toolCallId: string;
  state: string;
  output?: unknown;
  errorText?: string;
}

/** A turn that was asked for. */
export interface Turn {
  submissionId: string;
  messageId: string;
  status: string;
  answer?: string;
  error?: string;
}

interface Answer {
  type: string;
  id: string;
  success: boolean;
  result?: unknown;
  error?: string;
  done?: boolean;
}

/** What can be said of a server besides its name. */
interface Added {
  headers?: Record<string, string>;
  /** A client that was registered by hand. */
  client?: { id: string; secret?: string };
}

/** A call that the model is to make. */
export interface Wanted {
  tool: string;
  input: unknown;
}

export class Guest {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #closed = Promise.withResolvers<never>();
  readonly address: string;
  /** The frames that it was sent. */
  readonly frames: string[] = [];
  /** What it was last told of the servers. */
  servers: Servers = { servers: {}, tools: [] };
  #heard = Promise.withResolvers<void>();

  private constructor(host: string, name: string, agent: string) {
    this.address = `${host}/agents/${agent}/${name}`;
    this.#socket = new WebSocket(`${this.address.replace("http", "ws")}?_pk=${crypto.randomUUID()}`);
    this.#closed.promise.catch(() => {}); // nobody may be waiting
    this.#socket.onmessage = ({ data }) => this.#hear(String(data));
    this.#socket.onerror = this.#socket.onclose = () => this.#lose();
  }

  /** Connects to an agent, a Visitor by default. */
  static async open(host: string, name: string, agent = "visitor"): Promise<Guest> {
    const guest = new Guest(host, name, agent);
    await guest.until(() => guest.frames.some((frame) => frame.includes('"cf_agent_identity"')));
    return guest;
  }

  close(): void {
    this.#socket.close();
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  call<T>(method: string, ...args: unknown[]): Promise<T> {
    const id = crypto.randomUUID();
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.send({ type: "rpc", id, method, args });
    return Promise.race([waiting.promise, this.#closed.promise]) as Promise<T>;
  }

  /** Waits until a check returns something. It is made again behind each frame that is no answer to a call. */
  async until<T>(check: () => T | Promise<T>): Promise<NonNullable<T>> {
    for (;;) {
      const heard = this.#heard.promise;
      const found = await check();
      if (found) return found as NonNullable<T>;
      await Promise.race([heard, this.#closed.promise]);
    }
  }

  /** Adds a server, and returns its id. */
  async add(name: string, url: string, more: Added = {}): Promise<string> {
    return (await this.call<{ id: string }>("addMcpServer", { name, url, ...more })).id;
  }

  /** Waits until a server is in one of the states. */
  state(id: string, ...states: string[]): Promise<Shown> {
    return this.until(() => {
      const server = this.servers.servers[id];
      return server && states.includes(server.state) ? server : undefined;
    });
  }

  /** Has the model make calls at once, and waits until the turn is over. */
  turn(...calls: Wanted[]): Promise<Turn> {
    return this.call("turn", { text: JSON.stringify(calls), mode: "wait" });
  }

  /** The tools of which the model is told. */
  async told(): Promise<string[]> {
    const { answer = "" } = await this.call<Turn>("turn", { text: "tools?", mode: "wait" });
    return answer === "" ? [] : answer.split("\n");
  }

  questions(): Promise<Pending[]> {
    return this.call("questions");
  }

  /** Answers a form. */
  enter(id: string, output: unknown): void {
    this.send({ type: "cf_agent_tool_result", toolCallId: id, toolName: "ask", output, autoContinue: true });
  }

  /** The calls of the stored messages, without the questions. */
  async calls(): Promise<CallPart[]> {
    const messages = (await (await fetch(`${this.address}/get-messages`)).json()) as { parts: CallPart[] }[];
    return messages
      .flatMap(({ parts }) => parts)
      .filter(({ toolCallId, type }) => toolCallId !== undefined && type !== "tool-ask");
  }

  #hear(data: string): void {
    this.frames.push(data);
    const frame = data.startsWith("{") ? (JSON.parse(data) as { type: string }) : { type: data };
    if (frame.type === "rpc") {
      this.#answer(frame as Answer);
      return;
    }
    if (frame.type === "cf_agent_mcp_servers") this.servers = (frame as unknown as { mcp: Servers }).mcp;
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }

  #answer({ id, success, result, error, done }: Answer): void {
    if (success && done === false) return; // a piece of a stream
    if (success) this.#waiting.get(id)?.resolve(result);
    else this.#waiting.get(id)?.reject(new Error(error));
    this.#waiting.delete(id);
  }

  #lose(): void {
    this.#closed.reject(new Error(`the connection to ${this.address} was lost`));
  }
}

/** Whether the part of a call has come to its end. */
export const isOver = ({ state }: CallPart) => ["output-available", "output-error", "output-denied"].includes(state);
