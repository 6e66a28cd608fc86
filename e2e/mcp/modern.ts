// Requests in the modern revision, as they are on the wire.

export const revision = "2026-07-28";
export const extension = "io.modelcontextprotocol/tasks";
/** A program that takes tasks, and one that does not. */
export const withTasks = { extensions: { [extension]: {} } };
export const without = {};

const meta = "io.modelcontextprotocol";
export const clientInfo = { name: "test", version: "1" };

/** An answer, or one of the messages before it. */
export interface Message {
  id?: unknown;
  method?: string;
  params?: { progress?: number; message?: string };
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface Options {
  capabilities?: object;
  progressToken?: string;
  signal?: AbortSignal;
}

let ids = 0;

/** Sends a request. */
export function send(url: string, method: string, params: object, options: Options = {}): Promise<Response> {
  const { capabilities = without, progressToken, signal } = options;
  const { name, uri, taskId } = params as { name?: string; uri?: string; taskId?: string };
  const _meta = {
    [`${meta}/protocolVersion`]: revision,
    [`${meta}/clientInfo`]: clientInfo,
    [`${meta}/clientCapabilities`]: capabilities,
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  const named = name ?? uri ?? taskId;
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": revision,
      "mcp-method": method,
      ...(named === undefined ? {} : { "mcp-name": named }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params: { ...params, _meta } }),
    ...(signal ? { signal } : {}),
  });
}

/** The messages of a response, as they come: one of JSON, or those of a stream of events. */
export async function* messages(response: Response): AsyncGenerator<Message> {
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    yield (await response.json()) as Message;
    return;
  }
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data) as Message;
    }
  }
}

/** The answer to a request. */
export async function ask(url: string, method: string, params: object, options: Options = {}): Promise<Message> {
  for await (const message of messages(await send(url, method, params, options))) {
    if (message.method === undefined) return message;
  }
  throw new Error(`${method} was not answered`);
}
