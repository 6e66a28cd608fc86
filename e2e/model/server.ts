// A model behind an OpenAI-compatible endpoint of the tests' own. Every tool call has an id that was never there before, so
// that a caller who asks twice for what it has finds out.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type Line, line, type Request, type Scene, scene } from "./play.ts";

/** One answer that was asked for. */
export interface Answer extends Scene {
  /** The id of the tool call that it makes, or "". */
  calls: string;
  /** Everything was sent. */
  completed: boolean;
}

/** A running model: where it is, and what it was asked. */
export interface Model {
  /** The Worker variables that have it used. */
  vars: Record<string, string>;
  answers: Answer[];
  stop: () => void;
}

/** Starts a model on a free port of 127.0.0.1 that waits so many milliseconds before each piece of an answer, and shows when it is asked. */
export async function model(pause: number, show: (answer: Answer) => void = () => {}): Promise<Model> {
  const answers: Answer[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming).catch(() => undefined); // a caller that was cut off as it asked
    if (!request) return;
    const answer = { ...scene(request), calls: "", completed: false };
    answers.push(answer);
    show(answer);
    await speak(response, answer, line(request), pause);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { vars: { MODEL_PROVIDER: "openai", MODEL_BASE_URL: url, MODEL_NAME: "play" }, answers, stop };
}

async function read(incoming: IncomingMessage): Promise<Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Request;
}

/** Sends what has not been said of a line, piece by piece, for as long as somebody reads it. */
async function speak(response: ServerResponse, answer: Answer, { words, call }: Line, pause: number): Promise<void> {
  if (!words.startsWith(answer.said)) {
    const error = { message: `I never said "${answer.said}", but would say "${words}"` };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const deltas: object[] = pieces(words.slice(answer.said.length)).map((content) => ({ content }));
  if (call) {
    answer.calls = `call_${randomUUID()}`;
    const [first, ...rest] = pieces(JSON.stringify(call.input));
    const begin = { index: 0, id: answer.calls, type: "function", function: { name: call.name, arguments: first } };
    deltas.push({ tool_calls: [begin] });
    for (const text of rest) deltas.push({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  }
  for (const delta of deltas) {
    await setTimeout(pause);
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

/** A text in pieces of a few characters, which break words and inputs in their middle. */
function pieces(text: string): string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
