// The fetches of an object.
import type { Command, Of } from "./abi.ts";
import type { Deliver } from "./deliver.ts";
import { askWorkflow, isWorkflow, type WorkflowRequest, workflowVerb } from "./workflows.ts";

/** A binding that runs a model on an input, such as Workers AI. */
interface ModelBinding {
  // It gets no signal, because not every binding accepts one. A response that arrives too late is cancelled.
  run(path: string, input: unknown, options: { returnRawResponse: true }): Promise<Response>;
}

/** The URL of a fetch that asks a binding: the binding's name, and the model that it runs or what a Workflow is asked. */
const bindingURL = /^binding:\/\/([^/]+)\/(.+)$/;

export class Fetches {
  /** The Worker's environment: its secrets and its bindings. */
  readonly #env: Record<string, unknown>;
  readonly #deliver: Deliver;
  readonly #running = new Map<string, AbortController>();

  constructor(env: Record<string, unknown>, deliver: Deliver) {
    this.#env = env;
    this.#deliver = deliver;
  }

  start(command: Of<Command, "Fetch">): void {
    this.cancel(command.fetch);
    const controller = new AbortController();
    this.#running.set(command.fetch, controller);
    void this.#run(command, controller.signal).finally(() => {
      if (this.#running.get(command.fetch) === controller) this.#running.delete(command.fetch);
    });
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Cancels a fetch. No event of it follows. */
  cancel(fetch: string): void {
    this.#running.get(fetch)?.abort();
    this.#running.delete(fetch);
  }

  abort(): void {
    for (const fetch of this.#running.keys()) this.cancel(fetch);
  }

  async #run(command: Of<Command, "Fetch">, signal: AbortSignal): Promise<void> {
    const { fetch: id } = command;
    const gone = () => signal.aborted;
    let unsent = true;
    await undefined; // The commands after this one are performed before any event of it.
    try {
      const ask = this.#ask(command, signal);
      unsent = false;
      const answer = await ask();
      if (gone()) return await answer.body?.cancel();
      const header = record(answer.headers);
      const begun = this.#deliver({ kind: "FetchResponded", fetch: id, status: answer.status, header }, gone);
      if (begun) await begun;
      for await (const data of answer.body ?? []) {
        if (gone()) return;
        const waits = this.#deliver({ kind: "FetchChunk", fetch: id, data }, gone);
        if (waits) await waits;
      }
      if (gone()) return;
      await this.#deliver({ kind: "FetchEnded", fetch: id }, gone);
    } catch (error) {
      if (gone()) return;
      await this.#deliver({ kind: "FetchFailed", fetch: id, error: String(error), unsent }, gone);
    }
  }

  /** Prepares a fetch, and returns a function that sends it. It throws where nothing can be sent. */
  #ask(command: Of<Command, "Fetch">, signal: AbortSignal): () => Promise<Response> {
    const [, name, path] = bindingURL.exec(command.url) ?? [];
    if (name === undefined || path === undefined) {
      const request = this.#request(command, signal);
      return () => fetch(request);
    }
    const binding = this.#env[name];
    const none = () => new Error(`there is no binding ${name}`);
    if (typeof binding !== "object" || binding === null) throw none();
    const input: unknown = JSON.parse(new TextDecoder().decode(command.body ?? new Uint8Array()));
    const verb = workflowVerb(path);
    if (verb) {
      if (!isWorkflow(binding)) throw none();
      return () => askWorkflow(verb, binding, input as WorkflowRequest);
    }
    if (!("run" in binding)) throw none();
    return () => (binding as ModelBinding).run(path, input, { returnRawResponse: true });
  }

  /**
   * Makes the request of a fetch. Redirects are not followed but returned as responses, so that no secret reaches
   * another host.
   */
  #request({ url, method, header, body }: Of<Command, "Fetch">, signal: AbortSignal): Request {
    const headers = new Headers();
    let form = "";
    for (const { name, value, secret } of header) {
      if (name === "") form += value + encodeURIComponent(this.#secret(secret));
      else headers.append(name, secret === "" ? value : withSecret(value, this.#secret(secret)));
    }
    const sent =
      form === "" ? body : new TextEncoder().encode(new TextDecoder().decode(body ?? new Uint8Array()) + form);
    return new Request(url, { method, headers, body: sent?.length ? sent : null, redirect: "manual", signal });
  }

  #secret(name: string): string {
    const value = this.#env[name];
    if (typeof value !== "string") throw new Error(`there is no secret ${name}`);
    return value;
  }
}

const basic = "Basic ";

/** Puts a secret behind a header's value. A name and a password of HTTP are encoded together. */
export function withSecret(value: string, secret: string): string {
  if (!value.startsWith(basic)) return value + secret;
  const pair = new TextEncoder().encode(value.slice(basic.length) + encodeURIComponent(secret));
  return basic + btoa(String.fromCharCode(...pair));
}

function record(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}
