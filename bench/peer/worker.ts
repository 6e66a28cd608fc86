// The peer: the same agents on Cloudflare's own SDK, with its agent tools, saying the same words in the same chunks at the same
// pace. They write what a model would have said straight into the stream, which spares the SDK the work of its model library.
import { AIChatAgent } from "@cloudflare/ai-chat";
import { routeAgentRequest } from "agents";
import { createUIMessageStream, createUIMessageStreamResponse, type UIMessage, type UIMessageStreamWriter } from "ai";
import { count, counted } from "../count.ts";

type Env = { Assistant: DurableObjectNamespace<Assistant>; COUNT?: string };

/** Numbers of a text that are written like chunks=5, where it has them. */
interface Words {
  n: number;
  chunks: number;
  delay: number;
}

abstract class Agent extends AIChatAgent<Env> {
  constructor(state: DurableObjectState, env: Env) {
    if (env.COUNT) count(state, new.target.name); // before the published class makes its tables
    super(state, env);
  }
}

/** A helper that answers what it is asked. */
export class Researcher extends Agent {
  override async onChatMessage(): Promise<Response> {
    const words = wordsOf(asked(this.messages));
    return answer((writer) => step(writer, () => say(writer, words)));
  }
}

/** Obeys tool=fan n=K: K helpers under one tool call, each asked the same. Without it, it answers by itself. */
export class Assistant extends Agent {
  override async onChatMessage(): Promise<Response> {
    const query = asked(this.messages);
    const words = wordsOf(query);
    return answer(async (writer) => {
      const fan = query.includes("tool=fan");
      if (fan) await step(writer, () => this.#fan(writer, query, words));
      await step(writer, () => say(writer, fan ? { ...words, chunks: 3 } : words));
    });
  }

  async #fan(writer: UIMessageStreamWriter, query: string, { n, chunks, delay }: Words): Promise<void> {
    const toolCallId = crypto.randomUUID();
    writer.write({ type: "tool-input-available", toolCallId, toolName: "fan", input: { n, query } });
    const input = { query: `durable execution chunks=${chunks} delay=${delay}` };
    const runs = Array.from({ length: n }, (_, displayOrder) =>
      this.runAgentTool(Researcher, { input, parentToolCallId: toolCallId, displayOrder }),
    );
    const done = (await Promise.all(runs)).filter(({ status }) => status === "completed");
    writer.write({ type: "tool-output-available", toolCallId, output: { ok: done.length, failed: n - done.length } });
  }

  /** As its documentation has it: no run, no helper. */
  override async onBeforeSubAgent(_: Request, { className, name }: { className: string; name: string }) {
    if (!this.hasAgentToolRun(className, name)) return new Response("Not found", { status: 404 });
  }
}

function asked(messages: UIMessage[]): string {
  return messages.at(-1)?.parts.find((part) => part.type === "text")?.text ?? "";
}

function wordsOf(text: string): Words {
  const number = (key: string, usual: number) => Number(new RegExp(`\\b${key}=(\\d+)`).exec(text)?.[1] ?? usual);
  return { n: number("n", 3), chunks: number("chunks", 5), delay: number("delay", 0) };
}

function answer(execute: (writer: UIMessageStreamWriter) => Promise<void>): Response {
  return createUIMessageStreamResponse({
    stream: createUIMessageStream({
      execute: async ({ writer }) => {
        writer.write({ type: "start" });
        await execute(writer);
        writer.write({ type: "finish" });
      },
    }),
  });
}

async function step(writer: UIMessageStreamWriter, work: () => Promise<void>): Promise<void> {
  writer.write({ type: "start-step" });
  await work();
  writer.write({ type: "finish-step" });
}

async function say(writer: UIMessageStreamWriter, { chunks, delay }: Words): Promise<void> {
  writer.write({ type: "text-start", id: "p1" });
  for (let i = 0; i < chunks; i++) {
    if (delay && i > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    writer.write({ type: "text-delta", id: "p1", delta: `c${i} `.padEnd(16, "x") });
  }
  writer.write({ type: "text-end", id: "p1" });
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname === "/counts") return Response.json(counted());
    return (await routeAgentRequest(request, env)) ?? new Response("Not found", { status: 404 });
  },
};
