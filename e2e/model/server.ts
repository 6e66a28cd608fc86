// The tests' model, behind an OpenAI-compatible endpoint. Every tool call has a new id, so that tests notice a request that is
// made twice.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type Completion, completionFor, type Progress, progressOf, type Request } from "./script.ts";

/** One requested completion. */
export interface Answer extends Progress {
  /** The id of the tool call that it makes, or "". */
  calls: string;
  /** Everything was sent. */
  completed: boolean;
}

/** A running model, and the completions that were requested. */
export interface Model {
  /** The Worker variables that select it. */
  vars: Record<string, string>;
  answers: Answer[];
  /** Sends no chunk until the function that it returns is called. */
  hold: () => () => void;
  stop: () => void;
}

/**
 * Starts a model on a free port of 127.0.0.1. It waits `pause` milliseconds before each chunk, and calls `show` at each
 * request.
 */
export async function model(pause: number, show: (answer: Answer) => void = () => {}): Promise<Model> {
  const answers: Answer[] = [];
  let held = Promise.resolve();
  const turn = async () => {
    await setTimeout(pause);
    await held;
  };
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming).catch(() => undefined); // the caller disconnected during its request
    if (!request) return;
    const answer = { ...progressOf(request), calls: "", completed: false };
    answers.push(answer);
    show(answer);
    await streamCompletion(response, answer, completionFor(request), turn);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { vars: { MODEL_PROVIDER: "openai", MODEL_BASE_URL: url, MODEL_NAME: "play" }, answers, hold, stop };
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Request;
}

/** Streams the rest of a completion in chunks, each of which waits for its turn, until the reader disconnects. */
async function streamCompletion(
  response: ServerResponse,
  answer: Answer,
  { words, call }: Completion,
  turn: () => Promise<void>,
): Promise<void> {
  if (!words.startsWith(answer.prefix)) {
    const error = { message: `I never said "${answer.prefix}", but would say "${words}"` };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const deltas: object[] = pieces(words.slice(answer.prefix.length)).map((content) => ({ content }));
  if (call) {
    answer.calls = `call_${randomUUID()}`;
    const [first, ...rest] = pieces(JSON.stringify(call.input));
    const begin = { index: 0, id: answer.calls, type: "function", function: { name: call.name, arguments: first } };
    deltas.push({ tool_calls: [begin] });
    for (const text of rest) deltas.push({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  }
  for (const delta of deltas) {
    await turn();
    if (response.destroyed) return;
    send(response, { choices: [{ index: 0, delta }] });
  }
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }] });
  send(response, { choices: [], usage: { prompt_tokens: 1, completion_tokens: deltas.length } });
  response.end("data: [DONE]\n\n");
  answer.completed = true;
}

function send(response: ServerResponse, chunk: object): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** Splits a text into pieces of a few characters, which split words and inputs. */
function pieces(text: string): string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
