// The requests that an object has under way.
import type { Command, Of } from "./abi.ts";
import type { Deliver } from "./perform.ts";

/** A binding that runs something on an input, as Workers AI does. */
interface Runner {
  // No signal goes with it: not every binding lets one cross. A response that comes too late is cancelled.
  run(path: string, input: unknown, options: { returnRawResponse: true }): Promise<Response>;
}

/** What begins the URL of a fetch that asks a binding, and behind it the binding's name and what it shall run. */
const bindingURL = /^binding:\/\/([^/]+)\/(.+)$/;

export class Fetches {
  /** The Worker's environment: its secrets, and its bindings. */
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

  get any(): boolean {
    return this.#running.size > 0;
  }

  /** Ends a fetch; no event of it follows. */
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
    await undefined; // The commands behind this one come before anything that is told of it.
    try {
      const ask = this.#ask(command, signal);
      unsent = false;
      const answer = await ask();
      if (gone()) return await answer.body?.cancel();
      this.#deliver({ kind: "FetchResponded", fetch: id, status: answer.status, header: record(answer.headers) }, gone);
      for await (const data of answer.body ?? []) {
        if (gone()) return;
        this.#deliver({ kind: "FetchChunk", fetch: id, data }, gone);
      }
      if (gone()) return;
      this.#deliver({ kind: "FetchEnded", fetch: id }, gone);
    } catch (error) {
      if (gone()) return;
      this.#deliver({ kind: "FetchFailed", fetch: id, error: String(error), unsent }, gone);
    }
  }

  /** Makes ready what a fetch asks. It throws where nothing can be asked. */
  #ask(command: Of<Command, "Fetch">, signal: AbortSignal): () => Promise<Response> {
    const [, name, path] = bindingURL.exec(command.url) ?? [];
    if (name === undefined || path === undefined) {
      const request = this.#request(command, signal);
      return () => fetch(request);
    }
    const binding = this.#binding(name);
    const input: unknown = JSON.parse(new TextDecoder().decode(command.body ?? new Uint8Array()));
    return () => binding.run(path, input, { returnRawResponse: true });
  }

  #binding(name: string): Runner {
    const binding = this.#env[name];
    if (typeof binding !== "object" || binding === null || !("run" in binding))
      throw new Error(`there is no binding ${name}`);
    return binding as Runner;
  }

  /** Redirects are not followed: they are answers like any other, so that no secret is sent where it was not meant to go. */
  #request({ url, method, header, body }: Of<Command, "Fetch">, signal: AbortSignal): Request {
    const headers = new Headers();
    for (const { name, value, secret } of header) {
      headers.append(name, secret === "" ? value : value + this.#secret(secret));
    }
    return new Request(url, { method, headers, body: body?.length ? body : null, redirect: "manual", signal });
  }

  #secret(name: string): string {
    const value = this.#env[name];
    if (typeof value !== "string") throw new Error(`there is no secret ${name}`);
    return value;
  }
}

function record(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}
