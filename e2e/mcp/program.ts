// Another program that uses an agent by the Model Context Protocol, in the version of 2026-07-28, by nothing but requests.

const version = "2026-07-28";

/** What a program declares that it can do. */
export const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
export const forms = { elicitation: { form: {} } };

export interface Params {
  name?: string;
  uri?: string;
  taskId?: string;
  [name: string]: unknown;
}

/** A task, or the result of a call. */
export interface Result {
  resultType?: string;
  taskId?: string;
  status?: string;
  result?: Result;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
  isError?: boolean;
  inputRequests?: Record<string, unknown>;
  requestState?: string;
  tools?: { name: string }[];
}

/** The error of a request. */
export class Refused extends Error {
  readonly code: number;
  readonly status: number;

  constructor(status: number, { code, message }: { code: number; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export class Program {
  readonly url: string;
  readonly #capabilities: object;
  readonly #header: Record<string, string>;
  #id = 0;

  /** A program that uses the agent at an address, such as http://…/agents/assistant/name/mcp. */
  constructor(url: string, capabilities: object = {}, header: Record<string, string> = {}) {
    this.url = url;
    this.#capabilities = capabilities;
    this.#header = header;
  }

  /** Sends a request, and returns the response as it comes. */
  post(method: string, params: Params = {}, signal?: AbortSignal): Promise<Response> {
    const subject = params.name ?? params.uri ?? params.taskId;
    return fetch(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": method,
        ...(subject !== undefined && { "mcp-name": subject }),
        ...this.#header,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params: { _meta: this.#sender(), ...params } }),
      ...(signal && { signal }),
    });
  }

  #sender(): object {
    return {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "program", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": this.#capabilities,
    };
  }

  /** Sends a request that is answered by one JSON object, and returns the result. */
  async ask(method: string, params: Params = {}): Promise<Result> {
    const response = await this.post(method, params);
    const answer = (await response.json()) as { result?: Result; error?: { code: number; message: string } };
    if (answer.error) throw new Refused(response.status, answer.error);
    if (!answer.result) throw new Error(`${method} is answered with ${JSON.stringify(answer)}`);
    return answer.result;
  }

  /** Calls a tool. */
  call(name: string, input: object = {}): Promise<Result> {
    return this.ask("tools/call", { name, arguments: input });
  }

  /** What has become of a task. */
  task(id: string): Promise<Result> {
    return this.ask("tasks/get", { taskId: id });
  }
}
